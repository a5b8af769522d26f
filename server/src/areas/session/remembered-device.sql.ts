import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** Most devices that are remembered of one person; the oldest give way. */
const mostDevices = 10

const stamp = sql.lit('YYYY-MM-DD HH24:MI:SS.US+00')

export async function addDevice(
  tx: Tx,
  device: { uuid: string; digest: Buffer; userUuid: string; clientAddress: string; userAgent: string; days: number },
): Promise<void> {
  await sql`
    insert into remembered_device (uuid, digest, user_uuid, client_address, user_agent, expires_at)
    values (${device.uuid}, ${device.digest}, ${device.userUuid}, ${device.clientAddress}, ${device.userAgent},
      now() + make_interval(days => ${device.days}))
  `.execute(tx)
  await sql`
    delete from remembered_device
    where uuid in (
      select uuid from remembered_device where user_uuid = ${device.userUuid} order by created desc, uuid offset ${mostDevices}
    )
  `.execute(tx)
}

/** Whether a device is one that this person let pass; notes its use. */
export async function isRemembered(tx: Tx, userUuid: string, digest: Buffer, clientAddress: string): Promise<boolean> {
  const { rows } = await sql`
    update remembered_device
    set last_used = now(), client_address = ${clientAddress}
    where user_uuid = ${userUuid} and digest = ${digest} and expires_at > now()
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

interface DeviceRow {
  device_id: string
  client_address: string
  user_agent: string
  created: string
  last_used: string
  expires_at: string
}

export async function listDevices(db: Db, userUuid: string): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select uuid as device_id, client_address, user_agent, to_char(created at time zone 'UTC', ${stamp}) as created,
      to_char(last_used at time zone 'UTC', ${stamp}) as last_used,
      to_char(expires_at at time zone 'UTC', ${stamp}) as expires_at
    from remembered_device
    where user_uuid = ${userUuid} and expires_at > now()
    order by last_used desc, uuid
  `.execute(db)
  return rows
}

/** Forgets one device of a person, or all. @returns how many there were */
export async function forgetDevices(tx: Tx, userUuid: string, only?: string): Promise<number> {
  const { rows } = await sql`
    delete from remembered_device
    where user_uuid = ${userUuid} and (${only ?? null}::uuid is null or uuid = ${only ?? null}::uuid)
    returning uuid
  `.execute(tx)
  return rows.length
}

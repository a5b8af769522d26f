import { setTimeout as delay } from 'node:timers/promises'
import type { Site } from './site.ts'

const LOOK_MS = 20
const PATIENCE_MS = 120_000

/** Makes what was deleted look two months old, and asks for the purge that comes every night. Gives the work's uuid. */
export async function purgeSoon(site: Site): Promise<string> {
  await site.query(
    `update study set deleted_at = deleted_at - interval '60 days' where deleted_at > now() - interval '1 day'`,
  )
  await site.query(`update stored_study t set last_image_at = last_image_at - interval '60 days'
    where last_image_at > now() - interval '50 days' and not exists (
      select from study s where s.phi_namespace = t.storage_namespace and s.study_uid = t.study_uid and s.deleted_at is null)`)
  await site.query(`update blob set created = created - interval '60 days' where created > now() - interval '50 days'`)
  const [job] = await site.query<{ uuid: string }>(
    `insert into work (uuid, job, payload, lane) values (gen_random_uuid(), 'purge', '{}', 'purge') returning uuid`,
  )
  return job?.uuid ?? ''
}

/** Resolves when the purge has come so far; what is done is not there any more. */
export async function reached(site: Site, job: string, states: readonly ('running' | 'done')[]): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const [row] = await site.query<{ state: 'waiting' | 'running' }>(`select state from work where uuid = '${job}'`)
    const state = row?.state ?? 'done'
    if (state !== 'waiting' && states.includes(state)) return
    await delay(LOOK_MS)
  }
  throw new Error(`The purge did not become ${states.join(' or ')} in time`)
}

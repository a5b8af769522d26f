import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import type { DiskLevel, DiskSpace } from '../../outbound/storage/disk-space.ts'
import { mailOfDisk } from './mail-of-disk.command.ts'

const { services, query } = await openTestServices({ HILUM_PUBLIC_URL: 'https://images.example' })
const hour = 3_600_000
const start = Date.UTC(2026, 4, 3)

/** One process, whose disk is as full as the test says. */
function startProcess() {
  let level: DiskLevel = 'ample'
  const look = async () => ({ level, freeBytes: 19 * 1024 ** 3, totalBytes: 100 * 1024 ** 3, reserveBytes: 0 })
  const disk: DiskSpace = { look, assertRoom: async () => undefined }
  return async (now: DiskLevel, hours = 0) => {
    level = now
    await mailOfDisk({ ...services, disk }, new Date(start + hours * hour))
  }
}

async function mailsSent(): Promise<string[]> {
  const rows = await query<{ recipient: string; subject: string }>(
    `with gone as (delete from mail returning recipient, subject, created) select * from gone order by recipient, created`,
  )
  return rows.map((row) => `${row.recipient}: ${row.subject}`)
}

it('mails the administrators of every organisation each level once a day, whichever process sees it', async () => {
  const look = startProcess()
  await look('low')
  expect(await mailsSent()).toEqual([])

  const north = await makeOrganisation(services.db)
  const south = await makeOrganisation(services.db)
  const demo = await makeOrganisation(services.db)
  await query(`update account set is_demo = (uuid = '${demo.accountUuid}')`)
  await north.addPerson({ role: 'Administrator', email: 'head@north.example' })
  await north.addPerson({ role: 'Clinician', email: 'desk@north.example' })
  await south.addPerson({ role: 'Administrator', email: 'head@south.example' })
  await demo.addPerson({ role: 'Administrator', email: 'head@demo.example' })
  const gone = await south.addPerson({ role: 'Administrator', email: 'gone@south.example' })
  await query(`update app_user set disabled = true where uuid = '${gone.userUuid}'`)

  await look('low', 1)
  const both = (subject: string) => ['head@north.example', 'head@south.example'].map((one) => `${one}: ${subject}`)
  expect(await mailsSent()).toEqual(both('The disk of the server fills up'))
  await startProcess()('low', 1)
  await look('low', 3)
  expect(await mailsSent()).toEqual([])
  await look('very-low', 3)
  expect(await mailsSent()).toEqual(both('The disk of the server is nearly full'))
  await look('full', 3)
  expect(await mailsSent()).toEqual(both('The disk of the server is full'))
  await look('ample', 4)
  await look('full', 5)
  expect(await mailsSent()).toEqual([])

  await query(`update installation_warning set mailed_at = mailed_at - interval '25 hours'`)
  await look('full', 5.5)
  expect(await mailsSent()).toEqual([])
  await look('full', 7)
  const [mail] = await query<{ body: string }>('select body from mail')
  expect(mail?.body).toContain('Free: 19.0 GB of 100.0 GB, at https://images.example')
})

import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { DiskLevel } from '../../outbound/storage/disk-space.ts'

const { services, call } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { sid } = await organisation.addPerson({ role: 'Administrator' })
const own = { sid, account_id: organisation.accountUuid }
const objects = join(services.config.dataFolder, 'objects')

const setLevel = (level: DiskLevel) =>
  Object.assign(services, {
    disk: { ...services.disk, look: async () => ({ level, freeBytes: 5, totalBytes: 100, reserveBytes: 10 }) },
  })

it('tells administrators how full the disk is, and nobody else', async () => {
  const told: unknown[] = []
  for (const level of ['ample', 'low', 'very-low', 'full'] as const) {
    setLevel(level)
    told.push((await call('account/notices', own)).body.notices)
  }
  const disk = (code: string) => [
    { code, free_bytes: 5, total_bytes: 100, failed_mails: 0, failing_rules: 0, certificate_ends: '' },
  ]
  expect(told).toEqual([[], disk('DISK_LOW'), disk('DISK_VERY_LOW'), disk('DISK_FULL')])
  const clinician = await organisation.addPerson()
  expect((await call('account/notices', { ...own, sid: clinician.sid })).body.error_type).toBe('NOT_PERMITTED')
})

it('tells administrators that the certificate ends, until it was renewed', async () => {
  setLevel('ample')
  const daysLeft = (days: number) => makeCertificate(join(services.config.dataFolder, 'shown'), 'localhost', days)
  const told: unknown[] = []
  for (const days of [20, 10, 2, -1, 90]) {
    services.certificate.note((await daysLeft(days)).cert)
    const { notices } = (await call('account/notices', own)).body
    told.push((notices as { code: string }[]).map(({ code }) => code))
  }
  expect(told).toEqual([['CERTIFICATE_ENDS'], ['CERTIFICATE_ENDS'], ['CERTIFICATE_ENDS_NOW'], ['CERTIFICATE_OVER'], []])
})

it('tells administrators that images cannot be written', async () => {
  setLevel('ample')
  const { store } = services
  for (const code of ['EROFS', 'EACCES', 'EPERM', 'EIO']) {
    const assertWritable = async () => {
      throw Object.assign(new Error(code), { code })
    }
    Object.assign(services, { store: { ...store, assertWritable } })
    const { notices } = (await call('account/notices', own)).body
    expect([code, notices]).toEqual([code, [expect.objectContaining({ code: 'OBJECTS_NOT_WRITABLE' })]])
  }
  Object.assign(services, { store })
  expect((await call('account/notices', own)).body.notices).toEqual([])
})

it('finds a folder of images that is none', async () => {
  await rm(objects, { recursive: true, force: true })
  await writeFile(objects, '')
  await chmod(objects, 0o400)
  await expect(services.store.assertWritable()).rejects.toThrow(/EEXIST|ENOTDIR/)
  await rm(objects)
  await services.store.assertWritable()
})

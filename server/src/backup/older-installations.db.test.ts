import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyDatabase, exportFrom, importInto, withDatabase, workFolder } from '../../test/export-fixture.ts'
import { verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { verifyStorage } from '../areas/retention/verify-storage.command.ts'
import { readConfig } from '../config.ts'
import { migrationNames } from '../db/migrate.ts'
import { buildApp } from '../inbound/http/app.ts'
import { openLog } from '../log.ts'
import { openServices } from '../open-services.ts'
import { createFileStore } from '../outbound/storage/file-store.ts'
import { takeWebBuild } from '../web-build.ts'
import { importTables } from './import-tables.ts'
import { readManifest } from './manifest.ts'

/*
 * Installations as earlier releases left them, one archive for each, named after the day of the release: `export/` as
 * that release exported it while it ran, `data/` the rest of its data folder, and `expected.json`. Each holds two exams
 * of people who never lived, one of them corrected, with an attachment; later ones a share, a link and a custom field.
 */
const archives = resolve(import.meta.dirname, '../../test/older-installations')
const releases = globSync('*.tar.gz', { cwd: archives })
  .map((name) => name.replace('.tar.gz', ''))
  .toSorted()
const place = await workFolder()
const databases = new Map<string, { opened: string; imported: string; again: string }>()
for (const release of releases)
  databases.set(release, {
    opened: await emptyDatabase(),
    imported: await emptyDatabase(),
    again: await emptyDatabase(),
  })

const corrected = 'Older^Corrected'

interface Expected {
  login: string
  password: string
  images: Record<string, { study_uid: string; sha256: string }>
  studies: { study_uid: string; patient_name: string; patientid: string; image_count: number }[]
}
interface Schema {
  series: { images: { id: string; version: string }[] }[]
}
interface ListedStudy {
  study_uid: string
  patient_name: string
  patientid: string
  image_count: number
  attachment_count: number
  phi_namespace: string
  storage_namespace: string
}

/** A data folder and a database as the release left them, at the schema of that time. */
async function layOut(release: string) {
  const { opened = '', imported = '', again = '' } = databases.get(release) ?? {}
  const unpacked = place(release)
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', join(archives, `${release}.tar.gz`), '-C', unpacked])
  const folder = join(unpacked, 'data')
  cpSync(join(unpacked, 'export', 'objects'), join(folder, 'objects'), { recursive: true })
  const expected = JSON.parse(readFileSync(join(unpacked, 'expected.json'), 'utf8')) as Expected
  return { exported: join(unpacked, 'export'), expected, folder, opened, imported, again }
}

/** Studies and images that a person sees who signs in, once the release of today has opened the installation. */
async function lookInto(folder: string, url: string, { login, password }: Expected) {
  const config = readConfig({ HILUM_DATA: folder, DATABASE_URL: url })
  const { services, close } = await openServices(config, openLog('silent'))
  const app = await buildApp(services, { web: takeWebBuild(folder), viewer: { folder: undefined } })
  try {
    const call = async (name: string, payload: object) =>
      (await app.inject({ method: 'POST', url: `/api/v3/${name}`, payload })).json<Record<string, unknown>>()
    const { sid } = await call('session/login', { login, password })
    const studies = (await call('study/list', { sid })).studies as ListedStudy[] // the wire's
    const images: Expected['images'] = {}
    for (const { study_uid, phi_namespace, storage_namespace } of studies) {
      const study = `/api/v3/storage/study/${storage_namespace}/${study_uid}`
      const asked = `sid=${String(sid)}&phi_namespace=${phi_namespace}`
      const schema = (await app.inject({ url: `${study}/schema?${asked}` })).json<Schema>()
      for (const { id, version } of schema.series.flatMap((series) => series.images)) {
        const { rawPayload } = await app.inject({ url: `${study}/image/${id}/version/${version}?${asked}` })
        // a corrected exam is handed out as corrected, everything else byte for byte
        const sha256 = rawPayload.includes(corrected)
          ? corrected
          : createHash('sha256').update(rawPayload).digest('hex')
        images[id] = { study_uid, sha256 }
      }
    }
    return { studies, images }
  } finally {
    await app.close()
    await close()
  }
}

async function faultsOf(folder: string, url: string): Promise<unknown[]> {
  const faults: unknown[] = []
  await withDatabase(url, async ({ db }) => {
    const tell = (fault: object) => void faults.push(fault)
    const store = createFileStore(join(folder, 'objects'))
    await verifyStorage({ db, store }, { isQuick: false, now: new Date(), tell })
    await verifyAudit(db, tell)
  })
  return faults
}

function wholeOf({ images, studies }: Expected) {
  const changed = studies.find((one) => one.patient_name === corrected)?.study_uid
  return {
    images: Object.fromEntries(
      Object.entries(images).map(([id, { study_uid, sha256 }]) => [
        id,
        { study_uid, sha256: study_uid === changed ? corrected : sha256 },
      ]),
    ),
    studies: inOrder(studies),
    attachments: 1,
  }
}

const inOrder = (studies: Expected['studies']): Expected['studies'] =>
  studies
    .map(({ study_uid, patient_name, patientid, image_count }) => ({ study_uid, patient_name, patientid, image_count }))
    .toSorted((a, b) => (a.patientid < b.patientid ? -1 : 1))

const seen = ({ studies, images }: Awaited<ReturnType<typeof lookInto>>) => ({
  images,
  studies: inOrder(studies),
  attachments: studies.reduce((sum, one) => sum + Number(one.attachment_count), 0),
})

describe('an installation that a release before left', () => {
  it('is at hand of more than one release', () => expect(releases.length).toBeGreaterThan(2))

  it.each(releases)('of %s opens in its place, whole; so do its export, and an export of today’s', async (release) => {
    const { exported, expected, folder, opened, imported, again } = await layOut(release)
    const whole = wholeOf(expected)
    const manifest = await readManifest(exported)
    expect(manifest.migrations.length).toBeLessThan(migrationNames.length)
    await withDatabase(opened, ({ db, pool }) => importTables(db, pool, manifest, exported))
    expect(seen(await lookInto(folder, opened, expected))).toEqual(whole)
    expect(readFileSync(join(folder, 'release.json'), 'utf8')).toContain(migrationNames.at(-1))
    expect(await faultsOf(folder, opened)).toEqual([])
    const restoredThen = place(`${release}-imported`)
    expect(await importInto({ url: imported, folder: restoredThen }, exported)).toMatchObject({ faults: 0 })
    expect(seen(await lookInto(restoredThen, imported, expected))).toEqual(whole)
    const next = place(`${release}-next`)
    await exportFrom({ url: opened, folder }, next)
    const restored = place(`${release}-restored`)
    expect(await importInto({ url: again, folder: restored }, next)).toMatchObject({ faults: 0 })
    expect(seen(await lookInto(restored, again, expected))).toEqual(whole)
  })
})

import type { AddressInfo } from 'node:net'
import type { LinkRight } from '@hilum/contract/link-rights'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import type { Candidate } from '../../../test/shown-images.ts'
import { makeSources, type Place } from '../../../test/sources-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from '../http/app.ts'

/* Reports among the images of an exam, at every door that a link opens. */

const { services, folder, query } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const { accountUuid, makePlace, send, share, recordOf } = await makeSources({ services, query })

const sopClass = (suffix: string) => `1.2.840.10008.5.1.4.1.1.${suffix}`
const keyObject = sopClass('88.59')
const families = { structured: sopClass('88.33'), pdf: sopClass('104.1'), clinical: sopClass('104.2') } as const
const ofEyes = { prescription: sopClass('78.6'), macularGrid: sopClass('79.1') } as const
const classes = { ...families, ...ofEyes }
type Report = keyof typeof classes

/** Sends a report into a series of a study. */
async function sendReport(place: Place, studyUid: string, kind: Report, series: number, number: number) {
  const document = { tag: Tag.EncapsulatedDocument, vr: 'OB', value: madePdf([[200, 300]]) } as const
  const modality = { tag: Tag.Modality, vr: 'CS', value: 'SR' } as const
  await send(place, studyUid, number, {
    series,
    sopClassUid: classes[kind],
    hasNoPixels: true,
    more: [modality, ...(kind === 'pdf' || kind === 'clinical' ? [document] : [])],
  })
}

const linkTo = async (place: Place, studies: readonly string[], permissions: readonly LinkRight[]) => {
  const uuids = await Promise.all(studies.map((studyUid) => recordOf(place, studyUid)))
  return makeLink(services.db, {
    accountUuid,
    createdBy: place.userUuid,
    studies: uuids.map((uuid) => ({ uuid, phi_namespace: place.namespace })),
    permissions,
  })
}

/** Asks every door with the session of a link to the study. */
async function findWrong(
  place: Place,
  from: readonly Place[],
  studyUid: string,
  permissions: readonly LinkRight[],
  expected: { candidates: readonly Candidate[]; shown: readonly Candidate[] },
) {
  const sid = await openLink(services.db, await linkTo(place, [studyUid], permissions))
  const { candidates, shown } = expected
  const asked = { origin, sid, namespace: place.namespace, from: from.map((one) => one.namespace) }
  const sops = shown.map((one) => one.sop)
  const { doors, others } = await findOtherDoors(asked, studyUid, { sops, candidates, isOpen: true })
  expect(doors).toBeGreaterThan(20 + 25 * from.length)
  return others
}

const images: readonly LinkRight[] = ['study_view', 'study_download']
const all: readonly LinkRight[] = [...images, 'study_report_view']

/** Where a report may stand: series and number of it, beside the images 1.1, 1.2 and 2.1. */
const places = [
  { name: 'in a series of its own', series: 9, number: 1 },
  { name: 'first in the series of images', series: 1, number: 0 },
  { name: 'last in the series of images', series: 1, number: 99 },
] as const

it.each(places.flatMap((one) => (Object.keys(families) as Report[]).map((kind) => ({ ...one, kind }))))(
  'shows a report ($kind) $name at no door of a link that gives the images alone, and at all of one that gives both',
  async ({ kind, series, number }) => {
    const place = await makePlace()
    const studyUid = newUid().slice(0, 50)
    await sendReport(place, studyUid, kind, series, number)
    for (const [at, more] of [
      [1, {}],
      [2, {}],
      [1, { series: 2 }],
    ] as const)
      await send(place, studyUid, at, more)
    const shown = ['1.1', '1.2', '2.1'].map((one) => candidateOf(studyUid, one))
    const report = { ...candidateOf(studyUid, `${series}.${number}`), holds: 'pdf' } as const
    const candidates = [...shown, report]
    expect(await findWrong(place, [place], studyUid, images, { candidates, shown })).toEqual([])
    const given = await findWrong(place, [place], studyUid, all, { candidates, shown: candidates })
    expect(given.filter(({ door }) => kind === 'pdf' || !door.startsWith('image/pdf'))).toEqual([])
  },
)

it.each(Object.keys(ofEyes) as (keyof typeof ofEyes)[])(
  'shows a report of eyes (%s), which stands among measurements, at no door of a link that gives the images alone',
  async (kind) => {
    const place = await makePlace()
    const studyUid = newUid().slice(0, 50)
    await sendReport(place, studyUid, kind, 9, 1)
    await send(place, studyUid, 1)
    const shown = [candidateOf(studyUid, '1.1')]
    const candidates = [...shown, { ...candidateOf(studyUid, '9.1'), holds: 'pdf' } as const]
    expect(await findWrong(place, [place], studyUid, images, { candidates, shown })).toEqual([])
  },
)

it('shows no report of two sources, whichever holds it and whether the other has its series too', async () => {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid().slice(0, 50)
  await send(sender, studyUid, 1)
  await sendReport(sender, studyUid, 'structured', 3, 1)
  await sendReport(reader, studyUid, 'pdf', 1, 5)
  await send(reader, studyUid, 2, { series: 3 })
  await send(reader, studyUid, 7, { series: 4, sopClassUid: keyObject })
  await share(sender, reader, studyUid)
  const shown = ['1.1', '3.2', '4.7'].map((one) => candidateOf(studyUid, one))
  const reports = ['3.1', '1.5'].map((one) => ({ ...candidateOf(studyUid, one), holds: 'pdf' as const }))
  const candidates = [...shown, ...reports]
  expect(await findWrong(reader, [reader, sender], studyUid, images, { candidates, shown })).toEqual([])
})

it('shows people in a session the reports as before', async () => {
  const place = await makePlace()
  const studyUid = newUid().slice(0, 50)
  await send(place, studyUid, 1)
  await sendReport(place, studyUid, 'pdf', 1, 2)
  const candidates = [candidateOf(studyUid, '1.1'), { ...candidateOf(studyUid, '1.2'), holds: 'pdf' as const }]
  const asked = { origin, sid: place.sid, namespace: place.namespace, from: [place.namespace] }
  const sops = candidates.map((one) => one.sop)
  expect((await findOtherDoors(asked, studyUid, { sops, candidates })).others).toEqual([])
})

it('tells on the page of a link, in an archive of several exams and in a search of headers of the images alone', async () => {
  const place = await makePlace()
  const [one, other] = [newUid().slice(0, 50), newUid().slice(0, 50)]
  for (const studyUid of [one, other]) {
    await sendReport(place, studyUid, 'structured', 9, 1)
    await send(place, studyUid, 2)
  }
  const told = async (permissions: readonly LinkRight[]) => {
    const sid = await openLink(services.db, await linkTo(place, [one, other], permissions))
    const get = (address: string) =>
      fetch(`${origin}${address}`, { headers: { authorization: `Bearer ${sid}`, accept: '*/*' } })
    const page = await fetch(`${origin}/api/v3/link/studies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sid }),
    })
    const { studies } = (await page.json()) as { studies: { image_count: number }[] }
    const of = `download?bundle=dicom&phi_namespace=${place.namespace}&and_studies=${await recordOf(place, other)}`
    const archive = await get(`/api/v3/storage/study/${place.namespace}/${one}/${of}`)
    const text = Buffer.from(await archive.arrayBuffer()).toString('latin1')
    const found = await get(`/dicomweb/${place.namespace}/studies?includefield=SOPClassUID`)
    return {
      counts: studies.map(({ image_count: count }) => count),
      inArchive: [one, other].map((studyUid) => text.includes(`${studyUid}.9.1`)),
      reports: JSON.stringify(await found.json()).includes('"SR"'),
    }
  }
  expect(await told(images)).toEqual({ counts: [1, 1], inArchive: [false, false], reports: false })
  expect(await told(all)).toMatchObject({ counts: [2, 2], reports: true })
})

it('ends what is on its way when the maker takes the reports back', async () => {
  const place = await makePlace()
  const studyUid = newUid().slice(0, 50)
  await send(place, studyUid, 1)
  await sendReport(place, studyUid, 'pdf', 1, 2)
  const link = await linkTo(place, [studyUid], all)
  const sid = await openLink(services.db, link)
  const address = `${origin}/dicomweb/${place.namespace}/studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.2`
  const ask = async () => {
    const reply = await fetch(`${address}/metadata`, { headers: { authorization: `Bearer ${sid}` } })
    await reply.arrayBuffer()
    return reply.status
  }
  expect(await ask()).toBe(200)
  await query(`update link set permissions = '{study_view,study_download}' where uuid = '${link}'`)
  expect(await ask()).toBe(404)
})

function candidateOf(studyUid: string, place: string): Candidate {
  return { series: `${studyUid}.${place.replace(/\.\d+$/, '')}`, sop: `${studyUid}.${place}` }
}

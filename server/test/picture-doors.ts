import { partsOf } from './dicomweb-fixture.ts'
import {
  type Version,
  versionsOfFiles,
  versionsOfJson,
  versionsOfPictures,
  versionsOfPixels,
  versionsOfText,
} from './held-twice.ts'
import { bytesOf, type Candidate, type Get, type Reader, seriesOf, type Shown } from './shown-images.ts'

/** Pictures of a study and of series, and the small picture that stands for each. */
export async function* walkPictureDoors(
  get: Get,
  study: string,
  candidates: readonly Candidate[],
): AsyncGenerator<Shown> {
  const pictured = candidates.filter((one) => !one.holds)
  const among = pictured.map((one) => one.sop)
  const picturesOf = async (address: string) => {
    const reply = await get(address, 'multipart/related; type="image/jpeg"')
    return reply.status === 200 ? (await partsOf(reply)).map(({ body }) => body) : []
  }
  const drawn = async (bytes: readonly Uint8Array[]) => ({
    images: bytes.length,
    versions: await versionsOfPictures(bytes),
  })
  yield { door: 'WADO-RS rendered study', among, ...(await drawn(await picturesOf(`${study}/rendered`))) }
  const pictures: Uint8Array[] = []
  const forSeries: Uint8Array[] = []
  const series: string[] = []
  const small: string[] = []
  for (const uid of seriesOf(pictured)) {
    pictures.push(...(await picturesOf(`${study}/series/${uid}/rendered`)))
    const thumbnail = await get(`${study}/series/${uid}/thumbnail`)
    const bytes = await bytesOf(thumbnail)
    if (thumbnail.status !== 200) continue
    series.push(uid)
    // a document or a video stands for its series by a tile
    if (candidates.every((one) => one.series !== uid || !one.holds)) forSeries.push(bytes)
  }
  yield { door: 'WADO-RS rendered series by series', among, ...(await drawn(pictures)) }
  const versions = await versionsOfPictures(forSeries)
  yield { door: 'WADO-RS thumbnails of series', among, seriesUids: series.sort(), versions }
  const one = await get(`${study}/thumbnail`)
  const bytes = one.status === 200 ? await bytesOf(one) : undefined
  // that of a video is a tile with the reason
  for (const { sop, series: uid } of candidates) {
    const own = await get(`${study}/series/${uid}/instances/${sop}/thumbnail`)
    if ((await bytesOf(own)).equals(bytes ?? Buffer.of()) && own.status === 200) small.push(sop)
  }
  yield { door: 'WADO-RS thumbnail of the study', oneOf: small }
}

/** Doors of one image, asked for every candidate. */
export async function* walkSingleDoors(
  get: Get,
  study: string,
  { namespace, from }: Reader,
  studyUid: string,
  candidates: readonly Candidate[],
): AsyncGenerator<Shown> {
  /** @param holds asks for those images alone, if there are any; without it for all */
  async function* ask(
    door: string,
    addressOf: (one: Candidate) => string,
    versionsOf: (bytes: Buffer) => Version[] | Promise<Version[]>,
    holds?: Candidate['holds'] | 'pictures',
  ): AsyncGenerator<Shown> {
    const asked = holds ? candidates.filter((one) => (one.holds ?? 'pictures') === holds) : candidates
    if (holds && asked.length === 0) return
    const found: string[] = []
    const versions: Version[] = []
    for (const one of asked) {
      const reply = await get(addressOf(one))
      const bytes = await bytesOf(reply)
      if (reply.status !== 200 || found.includes(one.sop)) continue
      found.push(one.sop)
      versions.push(...(await versionsOf(bytes)))
    }
    yield { door, among: asked.map((one) => one.sop), sops: found.sort(), versions }
  }
  const instance = ({ sop, series }: Candidate) => `${study}/series/${series}/instances/${sop}`
  const file = (bytes: Buffer) => versionsOfFiles([onlyPart(bytes)])
  const picture = (bytes: Buffer) => versionsOfPictures([bytes])
  const raw = (bytes: Buffer) => versionsOfPixels(onlyPart(bytes))
  const parsed = (bytes: Buffer) => versionsOfJson([JSON.parse(bytes.toString())].flat())
  for (const [path, versionsOf] of [
    ['', file],
    ['/metadata', parsed],
  ] as const)
    yield* ask(`WADO-RS instance${path}`, (one) => `${instance(one)}${path}`, versionsOf)
  for (const [path, versionsOf] of [
    ['/frames/1', raw],
    ['/frames/1/rendered', picture],
    ['/frames/1/thumbnail', picture],
    ['/rendered', picture],
    ['/thumbnail', picture],
    ['/bulkdata/7FE00010', raw],
  ] as const)
    yield* ask(`WADO-RS instance${path}`, (one) => `${instance(one)}${path}`, versionsOf, 'pictures')
  for (const place of from) {
    const image = ({ sop }: Candidate, path: string) =>
      `/api/v3/storage/study/${place}/${studyUid}/image/${sop}/version/*${path}?phi_namespace=${namespace}`
    for (const [path, versionsOf] of [
      ['', file],
      ['/json', versionsOfText],
      ['/attribute', versionsOfText],
      ['/phi', versionsOfText],
    ] as const)
      yield* ask(`image${path} by ${place}`, (one) => image(one, path), versionsOf)
    for (const path of ['', '/thumbnail', '/diagnostic', '/tiff'])
      yield* ask(`image/frame/0${path} by ${place}`, (one) => image(one, `/frame/0${path}`), picture, 'pictures')
    // of a tar the first file, behind its header
    const ofTar = (bytes: Buffer) => picture(bytes.subarray(512))
    const frames = '/frame/all/diagnostic'
    yield* ask(`image${frames} by ${place}`, (one) => image(one, frames), ofTar, 'pictures')
    for (const holds of ['pdf', 'video'] as const)
      yield* ask(`image/${holds} by ${place}`, (one) => image(one, `/${holds}`), versionsOfText, holds)
    yield* ask(
      `storage metadata of an image by ${place}`,
      ({ sop, series }) =>
        `/api/v3/storage/dicomweb/${place}/studies/${studyUid}/series/${series}/instances/${sop}/metadata?phi_namespace=${namespace}`,
      parsed,
    )
  }
}

/** The body of an answer, without what stands around it where it is the one part of several. */
function onlyPart(bytes: Buffer): Buffer {
  const isInParts = bytes.subarray(0, 2).toString('latin1') === '--'
  return isInParts ? bytes.subarray(bytes.indexOf('\r\n\r\n') + 4, bytes.lastIndexOf('\r\n--')) : bytes
}

import { partsOf } from './dicomweb-fixture.ts'
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
    return reply.status === 200 ? (await partsOf(reply)).length : 0
  }
  yield { door: 'WADO-RS rendered study', among, images: await picturesOf(`${study}/rendered`) }
  let pictures = 0
  const series: string[] = []
  const small: string[] = []
  for (const uid of seriesOf(pictured)) {
    pictures += await picturesOf(`${study}/series/${uid}/rendered`)
    const thumbnail = await get(`${study}/series/${uid}/thumbnail`)
    await thumbnail.arrayBuffer()
    if (thumbnail.status === 200) series.push(uid)
  }
  yield { door: 'WADO-RS rendered series by series', among, images: pictures }
  yield { door: 'WADO-RS thumbnails of series', among, seriesUids: series.sort() }
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
    holds?: Candidate['holds'] | 'pictures',
  ): AsyncGenerator<Shown> {
    const asked = holds ? candidates.filter((one) => (one.holds ?? 'pictures') === holds) : candidates
    if (holds && asked.length === 0) return
    const found: string[] = []
    for (const one of asked) {
      const reply = await get(addressOf(one))
      await reply.arrayBuffer()
      if (reply.status === 200) found.push(one.sop)
    }
    yield { door, among: asked.map((one) => one.sop), sops: [...new Set(found)].sort() }
  }
  const instance = ({ sop, series }: Candidate) => `${study}/series/${series}/instances/${sop}`
  for (const path of ['', '/metadata']) yield* ask(`WADO-RS instance${path}`, (one) => `${instance(one)}${path}`)
  for (const path of [
    '/frames/1',
    '/frames/1/rendered',
    '/frames/1/thumbnail',
    '/rendered',
    '/thumbnail',
    '/bulkdata/7FE00010',
  ])
    yield* ask(`WADO-RS instance${path}`, (one) => `${instance(one)}${path}`, 'pictures')
  for (const place of from) {
    const image = ({ sop }: Candidate, path: string) =>
      `/api/v3/storage/study/${place}/${studyUid}/image/${sop}/version/*${path}?phi_namespace=${namespace}`
    for (const path of ['', '/json', '/attribute', '/phi'])
      yield* ask(`image${path} by ${place}`, (one) => image(one, path))
    for (const path of ['', '/thumbnail', '/diagnostic', '/tiff'])
      yield* ask(`image/frame/0${path} by ${place}`, (one) => image(one, `/frame/0${path}`), 'pictures')
    yield* ask(`image/frame/all/diagnostic by ${place}`, (one) => image(one, '/frame/all/diagnostic'), 'pictures')
    for (const holds of ['pdf', 'video'] as const)
      yield* ask(`image/${holds} by ${place}`, (one) => image(one, `/${holds}`), holds)
    yield* ask(
      `storage metadata of an image by ${place}`,
      ({ sop, series }) =>
        `/api/v3/storage/dicomweb/${place}/studies/${studyUid}/series/${series}/instances/${sop}/metadata?phi_namespace=${namespace}`,
    )
  }
}

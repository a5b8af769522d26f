import { bytesOf, type Get, json, type Shown } from './shown-images.ts'

type Attached = { attachments?: { id: string; version: string; filename: string }[] }

/** Files attached to the record, by each of their addresses. */
export async function* walkAttachmentDoors(
  get: Get,
  namespace: string,
  phi: string,
  studyUid: string,
): AsyncGenerator<Shown> {
  const study = `/api/v3/storage/study/${namespace}/${studyUid}`
  const own = (path: string) => `${study}/${path}${path.includes('?') ? '&' : '?'}phi_namespace=${phi}`
  for (const path of ['schema', 'schema?attachments_only=1']) {
    const { attachments = [] } = (await json<Attached>(await get(own(path)))) ?? {}
    const named = (names: readonly string[]) => names.toSorted()
    yield { door: `attachments of ${path} by ${namespace}`, files: named(attachments.map((one) => one.filename)) }
    if (path !== 'schema') continue
    for (const [door, ending] of [
      ['version', ''],
      ['version by name', '/any.bin'],
    ] as const) {
      const files: string[] = []
      for (const { id, version, filename } of attachments) {
        const reply = await get(own(`attachment/${id}/version/${version}${ending}`))
        if (reply.status === 200 && (await bytesOf(reply)).length > 0) files.push(filename)
      }
      yield { door: `attachments by ${door} by ${namespace}`, files: named(files) }
    }
    const [newest] = attachments
    for (const latest of ['latest', 'latest/any.bin', 'latest.bin']) {
      const reply = await get(own(`attachment/${latest}`))
      const isNewest = (reply.headers.get('etag') ?? '').includes(newest?.version ?? '-')
      await reply.arrayBuffer()
      yield {
        door: `attachment ${latest} by ${namespace}`,
        files: isNewest ? named(attachments.map((one) => one.filename)) : [],
      }
    }
  }
  const count = await json<{ attachment_count: number }>(await get(own('count?attachments_only=1')))
  const all = await json<Attached>(await get(own('schema')))
  const names = (all?.attachments ?? []).map((one) => one.filename).toSorted()
  yield { door: `attachments counted by ${namespace}`, files: names.slice(0, count?.attachment_count ?? 0) }
}

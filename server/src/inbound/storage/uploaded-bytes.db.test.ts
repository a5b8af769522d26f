import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { namingDoors, requestOf, type DoorTarget } from '../../../test/door-samples.ts'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Door } from '../http/app.ts'

/*
 * Uploaded files run nowhere: whatever a file holds and calls itself, at every door that hands it out again, a browser
 * that opens the address saves it or draws a raster image, in a sandbox without scripts.
 */

const { app, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const base = `${origin}/api/v3/storage`
const bearer = { authorization: `Bearer ${sid}` }

const script = 'alert(document.domain)'
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`
const hostile: Record<string, [content: string | Uint8Array<ArrayBuffer>, name: string, claim: string]> = {
  html: [`<!doctype html><script>${script}</script>`, 'report.html', 'text/html'],
  'html with a mark of its encoding': [`\ufeff<html><script>${script}</script>`, 'report.htm', 'text/html'],
  'html that claims to be a picture': [`<script>${script}</script>`, 'scan.png', 'image/png'],
  'html behind the sign of a picture': [`BM<html><script>${script}</script>`, 'scan.bmp.html', 'text/html'],
  'html behind the sign of a GIF': [`GIF89a/*<script>${script}</script>*/=0`, 'x.html', 'text/html'],
  xhtml: [
    `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    'a.xhtml',
    'application/xhtml+xml',
  ],
  svg: [svg, 'drawing.svg', 'image/svg+xml'],
  'svg with a declaration': [`<?xml version="1.0"?>${svg}`, 'drawing.svg', 'image/svg+xml'],
  xml: [`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xsl,x"?><a/>`, 'cda.xml', 'text/xml'],
  pdf: [`%PDF-1.7\n1 0 obj << /OpenAction << /S /JavaScript /JS (${script}) >> >>\n%%EOF`, 'r.pdf', 'application/pdf'],
  'pdf by another name': [`%PDF-1.4\n${script}`, 'picture.png', 'image/png'],
  'pdf behind other bytes': [`x\n%PDF-1.4\n${script}`, 'r.pdf', 'application/pdf'],
  javascript: [script, 'code.js', 'text/javascript'],
  mhtml: [`MIME-Version: 1.0\nContent-Type: text/html\n\n<script>${script}</script>`, 'a.mhtml', 'multipart/related'],
  'a file without a name': [`<script>${script}</script>`, '', 'text/html'],
}
const raster = /^image\/(png|jpeg|gif|bmp|webp)$/

const doors = namingDoors(app).filter(({ method }) => method === 'GET' || method === 'HEAD')
const attachmentDoors = doors.filter(({ url }) => url.includes('/attachment/'))
/** The same doors under another prefix, and those that leave out the body: walked with the first file alone. */
const isTwin = ({ method, url }: Door) => method === 'HEAD' || url.startsWith('/host/')
/** As a browser asks that follows an address. */
const asked: Record<string, string>[] = [
  {},
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'sec-fetch-dest': 'document' },
  { range: 'bytes=0-7' },
  { range: 'bytes=999999-' },
  { 'if-none-match': '*' },
]

it('walks the doors of attachments', () => {
  expect(attachmentDoors.map(({ url }) => url)).toContain(
    '/api/v3/storage/study/:namespace/:studyUid/attachment/:id/version/:version/:filename',
  )
})

it.each(Object.entries(hostile))('attached %s runs at no door', async (what, [content, name, claim]) => {
  const study = await sendImage()
  const form = new FormData()
  form.append('data', new Blob([content], { type: claim }), name)
  const reply = await fetch(`${base}/study/${group.namespaceUuid}/${study}/attachment`, {
    method: 'POST',
    headers: bearer,
    body: form,
  })
  expect(reply.status).toBe(202)
  const { id, version } = (await reply.json()) as Record<string, string>
  const target = targetOf(study, { attachment: id ?? '', attachmentVersion: version ?? '' })
  for (const door of what === 'html' ? attachmentDoors : attachmentDoors.filter((one) => !isTwin(one))) {
    const request = requestOf(door, target)
    for (const headers of asked) {
      const answer = await askDoor(origin, { ...request, headers }, sid)
      expect([200, 206, 304, 416]).toContain(answer.statusCode)
      expect(dangersOf(answer.headers, answer.statusCode < 300), `${door.method} ${door.url}`).toEqual([])
    }
  }
})

it.each([
  ['application/pdf', hostile['pdf']?.[0]],
  ['text/XML', hostile['xml']?.[0]],
  ['text/html', hostile['html']?.[0]],
])('an encapsulated %s runs at no door', async (mime, content) => {
  const study = await sendImage([
    { tag: Tag.MIMETypeOfEncapsulatedDocument, vr: 'LO', value: mime },
    { tag: Tag.EncapsulatedDocument, vr: 'OB', value: Buffer.from(String(content).padEnd(2000)) },
  ])
  const target = targetOf(study, {})
  for (const door of doors.filter((one) => /instance|image/.test(one.url) && !isTwin(one))) {
    const request = requestOf(door, target)
    const url = request.url.replace(/bulkdata\/.*/, 'bulkdata/00420011')
    for (const headers of [{}, asked[1]]) {
      const answer = await askDoor(origin, { ...request, url, ...(headers ? { headers } : {}) }, sid)
      const isFile = url.endsWith('/pdf') && answer.statusCode < 300
      expect(dangersOf(answer.headers, isFile), `${door.method} ${door.url}`).toEqual([])
    }
  }
})

it('repeats nothing of an address as a page', async () => {
  for (const address of [
    `${base}/study/<script>/<script>/schema`,
    `${base}/nothing/<svg onload=${script}>`,
    `${origin}/dicomweb/all/studies/<script>/metadata`,
    `${origin}/api/v3/study/<script>`,
    `${origin}/api/v3/study/get?uuid=<script>`,
    `${origin}/<script>`,
  ]) {
    const reply = await fetch(address, { headers: bearer })
    expect(reply.headers.get('content-type') ?? '').not.toMatch(/html|xml(?!.*json)/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    await reply.arrayBuffer()
  }
})

/**
 * Ways in which an answer could run in a browser.
 * @param isFile whether the answer holds bytes of the file, of which a browser shows nothing but raster images
 */
function dangersOf(headers: Record<string, string>, isFile: boolean): string[] {
  const type = headers['content-type'] ?? ''
  const isSaved = headers['content-disposition']?.startsWith('attachment') === true
  return [
    ...(headers['content-security-policy'] === "default-src 'none'; sandbox" ? [] : ['no sandbox']),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['sniffed']),
    ...(/html|svg|javascript|(?<!dicom\+)xml/.test(type) ? [type] : []),
    ...(isFile && !isSaved && !raster.test(type) ? [`shown as ${type}`] : []),
  ]
}

async function sendImage(more: Parameters<typeof madeImage>[0]['more'] = []): Promise<string> {
  const study = newUid()
  const reply = await fetch(`${base}/namespace/${group.namespaceUuid}/image`, {
    method: 'POST',
    headers: bearer,
    body: new Uint8Array(madeImage({ studyUid: study, number: 1, more })),
  })
  expect(reply.status).toBeLessThan(300)
  return study
}

function targetOf(study: string, given: Partial<DoorTarget>): DoorTarget {
  return {
    namespace: group.namespaceUuid,
    study,
    series: `${study}.1`,
    instance: `${study}.1.1`,
    imageVersion: '*',
    attachment: '',
    attachmentVersion: '',
    upload: '',
    report: '',
    ...given,
  }
}

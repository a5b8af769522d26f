import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const all = ['study_upload', 'study_view', 'study_report_view', 'study_report_upload', 'study_report_delete'] as const
const member = await storage.addMember(all)

/** Answers to whoever asks for something of outside, and counts them. */
let asked = 0
const outside = createServer((_request, reply) => {
  asked += 1
  reply.end('<p>from outside</p>')
}).listen(0, '127.0.0.1')
afterAll(() => outside.close())
const outsideAddress = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

async function makeStudy(owner: Member = member): Promise<string> {
  const studyUid = newUid()
  await uploadImage(storage, owner, madeImage({ studyUid, number: 1 }))
  return `${storage.base}/study/${owner.namespace}/${studyUid}`
}

async function attach(study: string, content: string | Uint8Array, name = 'report.html', flags = 'wrap_html_as_pdf=1') {
  const form = new FormData()
  form.append('data', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const reply = await fetch(`${study}/attachment?${flags}&sid=${member.sid}`, { method: 'POST', body: form })
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client does, without a schema
  return { status: reply.status, body: (await reply.json()) as any }
}

const attachmentsOf = async (study: string): Promise<{ filename: string }[]> =>
  (await (await fetch(`${study}/schema?sid=${member.sid}&attachments_only=1`)).json()).attachments

async function read(study: string, { id, version }: { id: string; version: string }): Promise<Buffer> {
  const reply = await fetch(`${study}/attachment/${id}/version/${version}?sid=${member.sid}`)
  return Buffer.from(await reply.arrayBuffer())
}

/** The text of a PDF as another program reads it, and how dark its first page is. */
async function lookInto(pdf: Uint8Array) {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const pages = [...document.pages()]
  const text = pages.map((page) => page.getText()).join('\n')
  const drawn = await pages[0]?.render({ scale: 1, render: 'bitmap' })
  if (!drawn) throw new Error('The PDF has no page')
  const { width, height, data } = drawn
  const { channels } = await sharp(data, { raw: { width, height, channels: 4 } }).stats()
  library.destroy()
  return { text, pages: pages.length, isDrawnOn: (channels[0]?.min ?? 255) < 100 }
}

describe('wrap_html_as_pdf', () => {
  test('an HTML report is attached as a PDF that other programs read', async () => {
    const study = await makeStudy()
    const html = `<!DOCTYPE html><title>No text</title><h1>Befund Müller</h1><p>Ωμέγα, Привет, Dvořák &amp; Nguyễn, 5&nbsp;µg ≤ 10</p>
      <table><tr><th>Test</th><th>Value</th></tr><tr><td>Haemoglobin</td><td>13.2</td></tr></table><ul><li>item</ul>`
    const { status, body } = await attach(study, html, 'Befund Müller.HTML')
    expect([status, body.filename, body.undrawn]).toEqual([202, 'Befund Müller.pdf', undefined])
    expect((await attachmentsOf(study)).map(({ filename }) => filename)).toEqual(['Befund Müller.pdf'])
    const pdf = await read(study, body)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const { text, isDrawnOn, pages } = await lookInto(pdf)
    for (const words of [
      'Befund Müller',
      'Ωμέγα',
      'Привет',
      'Dvořák & Nguyễn',
      '5 µg ≤ 10',
      'Haemoglobin',
      '13.2',
      'item',
    ]) {
      expect(text.replaceAll('\u00a0', ' ')).toContain(words)
    }
    expect([isDrawnOn, pages, text.includes('No text')]).toEqual([true, 1, false])
    // the same again is the same bytes, and so the same version
    expect((await attach(study, html, 'Befund Müller.HTML')).body).toEqual(body)
  })

  test('what is no HTML, and HTML without the flag, is attached as it is', async () => {
    const study = await makeStudy()
    for (const [content, name, flags] of [
      ['%PDF-1.4 says its name', 'page.html', 'wrap_html_as_pdf=1'],
      ['a,b\n1,2\n', 'table.csv', 'wrap_html_as_pdf=1'],
      ['<p>Hello</p>', 'plain.html', 'wrap_html_as_pdf=0'],
    ] as const) {
      const { status, body } = await attach(study, content, name, flags)
      expect([status, body.filename, (await read(study, body)).toString()]).toEqual([202, name, content])
    }
  })

  test('it is known by how it begins, and read in its own encoding', async () => {
    const study = await makeStudy()
    const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('<html><p>Größe</p></html>', 'utf16le')])
    const latin = Buffer.from('<html><head><meta charset="iso-8859-2"></head><p>\xbdivot</p></html>', 'latin1')
    for (const [content, name, words] of [
      [utf16, 'a.txt', 'Größe'],
      [latin, 'b.htm', '˝ivot'],
      [Buffer.from('\ufeff <!-- made by hand -->\n<!DOCTYPE html><p>Größe</p>'), 'c', 'Größe'],
      [Buffer.from('<p>Gr\xf6\xdfe</p>', 'latin1'), 'd.html', 'Größe'],
    ] as const) {
      const { body } = await attach(study, content, name)
      expect(body.filename).toMatch(/\.pdf$/)
      expect((await lookInto(await read(study, body))).text).toContain(words)
    }
  })

  test('letters that no font of ours draws are counted, said in the PDF, and kept in the original beside it', async () => {
    const study = await makeStudy()
    const html = '<html><p>Name: 山田 שלום</p><p>after</p></html>'
    const { body } = await attach(study, html)
    expect(body).toMatchObject({ filename: 'report.pdf', undrawn: 6, original: { filename: 'report.html' } })
    expect((await read(study, body.original)).toString()).toBe(html)
    const { text } = await lookInto(await read(study, body))
    expect(text).toContain('6 characters of the original cannot be shown here')
    expect(text).toContain('after')
    expect((await attachmentsOf(study)).map(({ filename }) => filename).sort()).toEqual(['report.html', 'report.pdf'])
  })

  test('nothing in it runs, nothing is fetched, no file is read', async () => {
    const study = await makeStudy()
    const address = outsideAddress()
    const html = `<html><head><link rel=stylesheet href="${address}/a.css"><base href="${address}">
      <style>@import url(${address}/b.css); @font-face { font-family: x; src: url(${address}/c.woff) } p { font-family: x }</style></head>
      <script>fetch('${address}/script')</script><body onload="fetch('${address}/onload')" background="${address}/d.png">
      <iframe src="${address}/frame"></iframe><object data="${address}/object"></object><embed src="file:///etc/passwd">
      <img src="${address}/e.png" alt="logo"><img src="/etc/passwd"><img src="file:///etc/passwd"><img src="data:text/html,x">
      <img src="data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}/f.png"/></svg>`).toString('base64')}">
      <p style="background: url(${address}/g.png)">shown <a href="${address}/h">link</a></p></html>`
    const { status, body } = await attach(study, html)
    expect(status).toBe(202)
    const pdf = await read(study, body)
    const { text } = await lookInto(pdf)
    expect(text).toContain('Picture not shown: logo')
    expect(text).toContain('shown link')
    expect([text.includes('fetch'), text.includes('root:'), pdf.includes('/JavaScript'), asked]).toEqual([
      false,
      false,
      false,
      0,
    ])
  })

  test('pictures inside the file are shown; those that are damaged or too large are named in words', async () => {
    const study = await makeStudy()
    const picture = await sharp({ create: { width: 30, height: 20, channels: 4, background: '#000' } })
      .png()
      .toBuffer()
    const huge = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    const image = (bytes: Buffer, alt: string) =>
      `<img alt="${alt}" src="data:image/png;base64,${bytes.toString('base64')}">`
    const html = `<html>${image(picture, 'one')}${image(huge, 'two')}${image(picture.subarray(0, 30), 'three')}</html>`
    const { body } = await attach(study, html)
    const pdf = await read(study, body)
    const { text } = await lookInto(pdf)
    expect([/one/, /not shown: two/, /not shown: three/].map((words) => words.test(text))).toEqual([false, true, true])
    expect(pdf.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)
  })

  test.each<[string, () => string, number, RegExp]>([
    ['nested too deeply', () => `<html>${'<div>'.repeat(100_000)}x`, 413, /nested deeper than/],
    ['of too many elements', () => `<html>${'<b></b>'.repeat(60_000)}`, 413, /elements/],
    ['of ten megabytes of text', () => `<html>${'words and words '.repeat(620_000)}`, 413, /characters of text/],
    ['larger than may be', () => `<html>${' '.repeat(11 * 1024 * 1024)}`, 413, /more than 10 MB/],
    ['with a table of too many columns', () => `<html><table><tr>${'<td>x'.repeat(500)}</table>`, 413, /columns/],
    [
      'with a table of too many cells',
      () => `<html><table>${`<tr>${'<td>'.repeat(30)}`.repeat(1_500)}</table>`,
      413,
      /cells|elements/,
    ],
  ])('HTML %s is refused in words, and nothing of it is attached', async (_what, make, status, words) => {
    const study = await makeStudy()
    const reply = await attach(study, make())
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringMatching(words)])
    expect(await attachmentsOf(study)).toEqual([])
  })

  test.each<[string, string]>([
    ['spans of a billion', '<table><tr><td colspan=1000000000 rowspan=1000000000>a<td>b</table>'],
    ['spans that overlap', '<table><tr><td rowspan=3>a<td>b<tr><td colspan=9>c<tr><td>d</table>'],
    ['tables in tables', `${'<table><tr><td>'.repeat(12)}deep${'</table>'.repeat(12)}`],
    ['a word without an end', `<p>${'w'.repeat(20_000)}`],
    ['a style of a megabyte', `<p style="${'color:red;'.repeat(100_000)}">x`],
    ['a style sheet that folds into itself', `<style>${'a{'.repeat(50_000)}</style><p>x`],
    ['a hundred thousand attributes', `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>x`],
    ['a header that fills pages', `<table><thead>${'<tr><th>head'.repeat(2_000)}</thead><tr><td>x</table>`],
    ['marks on one letter', `<p>a${'\u0301'.repeat(5_000)}b`],
    ['entities', `<p>${'&lt;&amp;&#x41;&#99999999;&bogus;'.repeat(2_000)}`],
    ['nothing', '<html></html>'],
    ['ends that close nothing', `<html>${'</div></p></table></td>'.repeat(5_000)}x`],
  ])('HTML with %s becomes a PDF', async (_what, html) => {
    const study = await makeStudy()
    const { status, body } = await attach(study, html)
    expect([status, body.filename]).toEqual([202, 'report.pdf'])
    expect((await lookInto(await read(study, body))).pages).toBeGreaterThan(0)
  })

  test('with static_ids the same HTML is the same attachment, under any name', async () => {
    const study = await makeStudy()
    const flags = 'wrap_html_as_pdf=1&static_ids=1'
    const first = await attach(study, '<html>one', 'a.html', flags)
    const again = await attach(study, '<html>one', 'b.html', flags)
    const other = await attach(study, '<html>two', 'a.html', flags)
    expect(again.body.id).toBe(first.body.id)
    expect(other.body.id).not.toBe(first.body.id)
  })
})

describe('return_html', () => {
  async function post(study: string, name: string, flag = 'return_html=1', part = 'data') {
    const form = new FormData()
    form.append(part, new Blob(['text']), name)
    return fetch(`${study}/attachment?${flag}&sid=${member.sid}`, { method: 'POST', body: form })
  }

  test('the answer is called HTML, and is the same JSON in which nothing is a tag', async () => {
    const study = await makeStudy()
    const reply = await post(study, 'R&D &lt;b&gt; “x”.txt')
    const text = await reply.text()
    expect([reply.status, reply.headers.get('content-type')]).toEqual([202, 'text/html; charset=utf-8'])
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox allow-same-origin$/)
    expect(text).not.toMatch(/[<>&]/)
    expect(JSON.parse(text)).toMatchObject({ filename: 'R&D &lt;b&gt; “x”.txt', size: 4 })
    const plain = await post(study, 'other.txt', 'return_html=0')
    expect(plain.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('a refusal is called HTML as well, and keeps its status', async () => {
    const study = await makeStudy()
    for (const reply of [
      await post(study, 'a.txt', 'return_html=1', 'file'),
      await post(study.replace(/[^/]+$/, '%3Cscript%3E&amp;'), 'a.txt'),
    ]) {
      const text = await reply.text()
      expect([reply.status >= 400, reply.headers.get('content-type')]).toEqual([true, 'text/html; charset=utf-8'])
      expect(text).not.toMatch(/[<>&]/)
      expect(JSON.parse(text).kind.code).toBeGreaterThan(0)
    }
  })
})

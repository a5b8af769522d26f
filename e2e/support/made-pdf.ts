interface Extras {
  /** Entries of the catalogue and of the page. */
  catalog?: string
  page?: string
  /** Further objects, from number 6 on. */
  objects?: readonly string[]
}

/** The smallest document with a line of text. */
export function makePdf(text: string, { catalog = '', page = '', objects: more = [] }: Extras = {}): Buffer {
  const stream = `BT /F1 24 Tf 60 700 Td (${text}) Tj ET`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A document that runs scripts in every way that one can: when opened, by its page, by a button, by its names. */
export function makePdfWithScripts(text: string): Buffer {
  const script = (where: string) =>
    `<< /S /JavaScript /JS (app.alert\\('${where}'\\); app.launchURL\\('https://outside.example/${where}', true\\);) >>`
  return makePdf(text, {
    catalog: `/OpenAction ${script('open')} /AA << /WC ${script('close')} >>
      /Names << /JavaScript << /Names [(first) ${script('names')}] >> >> /AcroForm << /Fields [6 0 R] >>`,
    page: `/AA << /O ${script('page')} >> /Annots [6 0 R 7 0 R]`,
    objects: [
      `<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (go) /Rect [60 600 260 640] /MK << /BG [0.8 0.8 0.8] >>
        /A ${script('button')} /AA << /E ${script('enter')} /PO ${script('shown')} >> >>`,
      '<< /Type /Annot /Subtype /Link /Rect [60 500 260 540] /A << /S /URI /URI (https://outside.example/link) >> >>',
    ],
  })
}

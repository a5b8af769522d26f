// Writes src/dictionary-data.json from the attribute list that dcmjs carries (MIT). Run with: node dicom/tools/generate-dictionary.mjs
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const dcmjs = createRequire(require.resolve('dcmjs-codecs'))('dcmjs')
const attributes = Object.values(dcmjs.data.DicomMetaDictionary.nameMap)

const lines = attributes
  .filter(
    (attribute) =>
      attribute.version === 'DICOM' || attribute.version === 'DICOM/DICOS' || attribute.version === 'DICOM/DICONDE',
  )
  .filter((attribute) => /^\([0-9a-fx]{4},[0-9a-fx]{4}\)$/i.test(attribute.tag))
  .map((attribute) => {
    const tag = attribute.tag.replace(/[(),]/g, '').toUpperCase().replaceAll('X', 'x')
    return [tag, `${attribute.vr} ${attribute.name.replace(/^RETIRED_/, '')}`]
  })
  .sort(([a], [b]) => (a < b ? -1 : 1))

writeFileSync(
  new URL('../src/dictionary-data.json', import.meta.url),
  `${JSON.stringify(Object.fromEntries(lines), null, 1)}\n`,
)

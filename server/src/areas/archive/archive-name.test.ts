import { expect, test } from 'vitest'
import { namedPlaces } from './named-folders.ts'
import { zipNameOf } from './plan-download.command.ts'
import { safeFilename } from '../storage/safe-filename.ts'

const nameOf = (patient_name: string, study_date = '20260102') =>
  zipNameOf({ patient_name, study_date } as Parameters<typeof zipNameOf>[0])

test.each([
  ['Müller^Jürgen', 'Müller_Jürgen_20260102.zip'],
  // the same, its dots written apart
  ['Mu\u0308ller^Ju\u0308rgen', 'Müller_Jürgen_20260102.zip'],
  ['Kovač^Luka^^Dr.', 'Kovač_Luka_Dr_20260102.zip'],
  ['Иванов^Иван', 'Иванов_Иван_20260102.zip'],
  ['Παπαδόπουλος^Γιώργος', 'Παπαδόπουλος_Γιώργος_20260102.zip'],
  ['Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada_Tarou_20260102.zip'],
  ['=山田^太郎', '山田_太郎_20260102.zip'],
  ['==やまだ^たろう', 'やまだ_たろう_20260102.zip'],
  ['김^희중', '김_희중_20260102.zip'],
  ['कुमार^सुरेश', 'कुमार_सुरेश_20260102.zip'],
  ['สมชาย^ใจดี', 'สมชาย_ใจดี_20260102.zip'],
  ['קבני^שָׁלוֹם', `${'קבני_שָׁלוֹם'.normalize('NFC')}_20260102.zip`],
  ['مُحَمَّد^علی\u200cرضا', `${'مُحَمَّد_علی\u200cرضا'.normalize('NFC')}_20260102.zip`],
  ['𠮷野^家', '𠮷野_家_20260102.zip'],
  ['../../etc^"pass"\u202egpj', 'etc_pass_gpj_20260102.zip'],
])('a ZIP keeps the letters of every script in its name: %s', (name, wanted) => {
  expect(nameOf(name)).toBe(wanted)
})

test('a name that the file system does not take is never given', () => {
  expect(nameOf('', '')).toBe('study.zip')
  expect(nameOf('CON', '')).toBe('CON_.zip')
  for (const letter of ['W', 'ж', '山', '𠮷', 'प्र', '👩\u200d⚕️']) {
    const zip = nameOf(letter.repeat(300))
    const attached = safeFilename(`${letter.repeat(300)}.pdf`)
    const series = [{ series_uid: '1', modality: 'CT', series_time: '1', description: letter.repeat(300) }]
    const wanted = { record: { study_date: '20260102' }, series, timePoint: letter.repeat(300) }
    const parts = namedPlaces([{ series_uid: '1' }], wanted).flat()
    for (const name of [zip, attached, ...parts]) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(name.isWellFormed()).toBe(true)
    }
    expect(attached.endsWith('.pdf')).toBe(true)
    expect(zip.endsWith('.zip')).toBe(true)
  }
})

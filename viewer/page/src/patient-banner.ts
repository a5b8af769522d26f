import { formatDate, writtenFormat } from '@hilum/contract/date-format'
import { presentDate, presentPerson, presentSex } from './banner-texts.ts'
import { type DicomObject, personNameOf, jsonTextOf } from './dicom-json.ts'
import { element } from './element.ts'
import { texts } from './texts.ts'

/** Names patient and exam; stays above all that is shown. */
export function createPatientBanner(study: DicomObject | undefined): HTMLElement {
  if (study === undefined) return element('header', { class: 'banner' }, element('span', { class: 'name' }, '\u00a0'))
  const birthDate = jsonTextOf(study, '00100030')
  const mrn = jsonTextOf(study, '00100020')
  const sex = presentSex(jsonTextOf(study, '00100040'))
  const exam = [presentDate(jsonTextOf(study, '00080020')), jsonTextOf(study, '00081030')]
    .filter((text) => text !== '')
    .join('  ·  ')
  return element(
    'header',
    { class: 'banner' },
    element('span', { class: 'name' }, presentPerson(personNameOf(study, '00100010')) || texts.unknownPatient),
    ...fact(texts.born, presentDate(birthDate), formatDate(birthDate, writtenFormat)),
    ...fact(texts.sex, sex),
    ...fact(texts.mrn, mrn),
    element('span', { class: 'exam', title: exam }, exam),
  )
}

/**
 * Name, birth date, sex and MRN as one text: two exams with the same text name the same patient.
 * @returns empty where name, birth date or MRN is missing, so that nothing can be said
 */
export function whoOf(study: DicomObject): string {
  const needed = [personNameOf(study, '00100010'), jsonTextOf(study, '00100030'), jsonTextOf(study, '00100020')]
  return needed.includes('') ? '' : JSON.stringify([...needed, jsonTextOf(study, '00100040')])
}

/** @param title said under the pointer */
function fact(label: string, value: string, title = ''): HTMLElement[] {
  if (value === '') return []
  return [
    element(
      'span',
      { class: 'fact', title: title !== '' && title },
      element('span', { class: 'fact-label' }, label),
      ' ',
      value,
    ),
  ]
}

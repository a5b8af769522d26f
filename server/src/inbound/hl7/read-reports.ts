import { mostDocuments } from '../../areas/order/attach-reports.command.ts'
import type { SentDocument, SentReport } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { textLinesOf, componentOf, type Hl7Segment, rawField, repetitionsOf, valueOf } from './hl7-message.ts'

/** Statuses of a whole report, OBR-25 (HL7 table 0123). */
const reportStatuses: Readonly<Record<string, SentReport['status']>> = {
  A: 'preliminary',
  P: 'preliminary',
  R: 'preliminary',
  F: 'final',
  C: 'corrected',
  X: 'withdrawn',
}

/** Statuses of one observation, OBX-11 (HL7 table 0085). */
const observationStatuses: Readonly<Record<string, SentReport['status']>> = {
  P: 'preliminary',
  R: 'preliminary',
  F: 'final',
  C: 'corrected',
  D: 'withdrawn',
  W: 'withdrawn',
  X: 'withdrawn',
}

/**
 * The reports of ORU^R01: each OBR, with the ORC before it and what follows up to the next.
 * @throws Hl7Fault where there is none, one has neither text nor a PDF, or its status is not known
 */
export function readReports(segments: readonly Hl7Segment[]): SentReport[] {
  const starts = segments.flatMap((segment, at) => (segment.name === 'OBR' ? [at] : []))
  if (starts.length === 0) throw new Hl7Fault('segments', 'The message has no report', 'OBR')
  return starts.map((start, at) => {
    const before = segments[start - 1]
    const orc = before?.name === 'ORC' ? before : undefined
    return readReport(segments.slice(start, starts[at + 1]), orc, segments.slice(0, starts[0]))
  })
}

/** @param shared the segments before the first report; another report’s are never of this one */
function readReport(
  group: readonly Hl7Segment[],
  orc: Hl7Segment | undefined,
  shared: readonly Hl7Segment[],
): SentReport {
  const [obr] = group
  const find = (name: string) => group.find((one) => one.name === name)
  const zds = find('ZDS') ?? shared.find((one) => one.name === 'ZDS')
  const ipc = find('IPC') ?? shared.find((one) => one.name === 'IPC')
  const numbers = [valueOf(obr, 3), valueOf(obr, 2), valueOf(orc, 3), valueOf(orc, 2)]
  const order_numbers = [...new Set(numbers.flatMap((one) => (one ? [one] : [])))]
  const accession_number = valueOf(ipc, 1) || valueOf(obr, 18) || undefined
  const study_uid = valueOf(zds, 1) || valueOf(ipc, 3) || undefined
  const [number = accession_number ?? study_uid] = order_numbers
  if (!number) throw new Hl7Fault('missing', 'The report has no number', 'OBR-3')
  const observations = group.filter((one) => one.name === 'OBX')
  const status = readStatus(obr, observations)
  const documents = status === 'withdrawn' ? [] : readDocuments(observations)
  if (status !== 'withdrawn' && documents.length === 0) {
    throw new Hl7Fault('missing', 'The report has neither text nor a PDF', 'OBX-5')
  }
  return { number, accession_number, order_numbers, study_uid, status, documents }
}

function readStatus(obr: Hl7Segment | undefined, observations: readonly Hl7Segment[]): SentReport['status'] {
  const parts = observations.map((one) => observationStatuses[valueOf(one, 11)?.toUpperCase() ?? ''])
  if (parts.length > 0 && parts.every((one) => one === 'withdrawn')) return 'withdrawn'
  const whole = valueOf(obr, 25)?.toUpperCase()
  const status = whole ? reportStatuses[whole] : parts.find((one) => one !== undefined && one !== 'withdrawn')
  if (!status) throw new Hl7Fault('value', 'The status of the report is missing or not taken here', 'OBR-25')
  return status
}

/** The PDFs of a report in their order, and its text as one document; observations of other kinds are passed over. */
function readDocuments(observations: readonly Hl7Segment[]): SentDocument[] {
  const valid = observations.filter((one) => observationStatuses[valueOf(one, 11)?.toUpperCase() ?? ''] !== 'withdrawn')
  const pdfs = valid.filter((one) => kindOf(one) === 'ED').map(readPdf)
  if (pdfs.length > mostDocuments) throw new Hl7Fault('form', 'The report has too many documents', 'OBX')
  const lines = valid.filter((one) => ['TX', 'FT', 'ST'].includes(kindOf(one))).flatMap((one) => textLinesOf(one, 5))
  const text = lines.join('\n').trim()
  return [...pdfs, ...(text === '' ? [] : [{ ending: 'txt', bytes: Buffer.from(`${text}\n`) } as const])]
}

function kindOf(obx: Hl7Segment): string {
  return valueOf(obx, 2)?.toUpperCase() ?? ''
}

/** Encapsulated data (ED): type and subtype, encoding, data. @throws Hl7Fault where the data are no PDF in Base64 */
function readPdf(obx: Hl7Segment): SentDocument {
  if (repetitionsOf(obx, 5).length > 1) throw notPdf()
  const value = rawField(obx, 5)
  const [encoding = '', data = ''] = [4, 5].map((component) => componentOf(obx, value, component))
  const digits = data.replaceAll(/\s+/g, '')
  if (encoding.toUpperCase() !== 'BASE64' || !/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) throw notPdf()
  const bytes = Buffer.from(digits, 'base64')
  if (!bytes.subarray(0, 1024).includes('%PDF-')) throw notPdf()
  return { ending: 'pdf', bytes }
}

function notPdf(): Hl7Fault {
  return new Hl7Fault('form', 'A document of the report is no PDF in Base64', 'OBX-5')
}

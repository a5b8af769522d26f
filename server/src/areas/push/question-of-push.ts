import { createHash } from 'node:crypto'
import { sentAsOf } from '../altered/sent-as.ts'

type Question = 'withoutMrn' | 'formerPatient' | 'mrnHere' | 'mrnThere'

/**
 * Digest of a question that only a person's reason answers, about the exam as it leaves and what was found beside it: a
 * reason for another question, or about somebody else, answers none of these. Another accession number asks nothing anew.
 */
export function questionOf(question: Question, outgoing: Parameters<typeof sentAsOf>[0], found = ''): string {
  const parts = [question, sentAsOf({ ...outgoing, accession_number: '' }).toString('hex'), found]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

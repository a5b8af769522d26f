import { CommandField } from '@hilum/dicom/dimse/command'
import { Verification } from '@hilum/dicom/dimse/services'
import type { SenderAct } from '../../areas/audit/refusal.sql.ts'
import { isServiceClass } from './accepted-contexts.ts'

const queries: readonly SenderAct[] = ['C-FIND', 'C-MOVE', 'C-GET']
/** Of patients and studies the last number is 1, 2 or 3 (PS3.4 C.6); of protocols, palettes and implants 2, 3 or 4 (U.6, X.6, BB.6). */
const ofStudies = /^1\.2\.840\.10008\.5\.1\.4\.1\.2\.\d+\.([1-3])$/
const ofOthers = /^1\.2\.840\.10008\.5\.1\.4\.(?:38|39|43|44|45)\.([2-4])$/
const worklist = '1.2.840.10008.5.1.4.31'

/** The service that a context of this class asks for. */
export function senderActOf(abstractSyntax: string): SenderAct {
  if (abstractSyntax === Verification) return 'C-ECHO'
  if (abstractSyntax === worklist) return 'C-FIND'
  const ofStudy = ofStudies.exec(abstractSyntax)?.[1]
  const ofOther = ofOthers.exec(abstractSyntax)?.[1]
  const query = ofStudy ? queries[Number(ofStudy) - 1] : ofOther ? queries[Number(ofOther) - 2] : undefined
  return query ?? (isServiceClass(abstractSyntax) ? 'DICOM' : 'C-STORE')
}

/** The services that a sender proposed, each once; a test of the connection beside others is part of them. */
export function senderActsOf(abstractSyntaxes: readonly string[]): SenderAct[] {
  const acts = new Set(abstractSyntaxes.map(senderActOf))
  if (acts.size > 1) acts.delete('C-ECHO')
  return [...acts]
}

const requests: ReadonlyMap<number | undefined, SenderAct> = new Map([
  [CommandField.FindRequest, 'C-FIND'],
  [CommandField.MoveRequest, 'C-MOVE'],
  [CommandField.GetRequest, 'C-GET'],
])

/** The query or retrieval that a command asks for. */
export function queryActOf(commandField: number | undefined): SenderAct | undefined {
  return requests.get(commandField)
}

/** Whether an act asks for what is stored here, so that its refusal is one of access. */
export function isQuery(act: SenderAct): boolean {
  return queries.includes(act)
}

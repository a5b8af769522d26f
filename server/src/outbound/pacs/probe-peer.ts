import type { Association } from '@hilum/dicom/dimse/association'
import { CommitmentPush } from '@hilum/dicom/dimse/commitment'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { find, isAgreed, QueryClass } from '@hilum/dicom/dimse/query'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { echo, Verification } from '@hilum/dicom/dimse/services'
import { formatStatus, kindOfStatus } from '@hilum/dicom/dimse/status'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { overAssociation } from './ended-association.ts'

export type ProbeStep = 'connect' | 'echo' | 'search' | 'worklist' | 'retrieve' | 'store' | 'commit'
interface ProbeResult {
  step: ProbeStep
  outcome: 'ok' | 'refused' | 'failed'
  /** Words for people, empty when there is nothing to say. */
  message: string
}

const syntaxes = [ExplicitLittleEndian, ImplicitLittleEndian]
/** CT, MR, Digital X-Ray and Secondary Capture: a node that keeps images takes one of these. */
const imageClasses = ['2', '4', '1.1', '7'].map((suffix) => `1.2.840.10008.5.1.4.1.1.${suffix}`)
/** Shorter than those of real work: a person waits for the outcome. */
const limits = { negotiationMs: 8_000, idleMs: 10_000, stallMs: 10_000 }
/** An MRN that no patient has, so that a search finds nobody. */
const nobody = 'HILUM-TEST-NOBODY'

/**
 * Tries what a DICOM node offers, over one association, and stores nothing there. A step that fails with the association
 * ends the probe.
 */
export async function probePeer(
  peer: Peer,
  steps: readonly Exclude<ProbeStep, 'connect'>[],
  signal?: AbortSignal,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = []
  const attempt = async (step: ProbeStep, act: () => Promise<Verdict>): Promise<boolean> => {
    const verdict = await act().catch(explain)
    results.push({ step, ...verdict })
    return verdict.outcome === 'ok'
  }
  let association: Association | undefined
  const proposals = [Verification, ...Object.values(QueryClass), ...imageClasses, CommitmentPush].map(
    (abstractSyntax) => ({
      abstractSyntax,
      transferSyntaxes: syntaxes,
    }),
  )
  const isThere = await attempt('connect', async () => {
    association = await requestAssociation(peer, proposals, { limits, signal })
    return ok
  })
  if (!association || !isThere) return results
  const open = association
  await overAssociation(open, async () => {
    for (const step of steps) {
      if (!open.isOpen) {
        // an association that ended by itself answers nothing, and a step without an answer must not count as one
        results.push({ step, outcome: 'failed', message: 'The peer ended the association' })
        break
      }
      await attempt(step, () => acts[step](open))
    }
  })
  return results
}

type Verdict = Pick<ProbeResult, 'outcome' | 'message'>
const ok: Verdict = { outcome: 'ok', message: '' }
const refused = (message: string): Verdict => ({ outcome: 'refused', message })

const acts: Record<Exclude<ProbeStep, 'connect'>, (association: Association) => Promise<Verdict>> = {
  echo: async (association) => verdictOf((await echo(association)).status),
  search: (association) =>
    searchNobody(association, QueryClass.StudyFind, [
      { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: 'STUDY' },
      { tag: Tag.PatientID, vr: 'LO', value: nobody },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: '' },
    ]),
  worklist: (association) =>
    searchNobody(association, QueryClass.WorklistFind, [
      { tag: Tag.PatientName, vr: 'PN', value: '' },
      { tag: Tag.PatientID, vr: 'LO', value: nobody },
    ]),
  retrieve: async (association) => {
    const ways = [
      ...(isAgreed(association, QueryClass.StudyMove) ? ['C-MOVE'] : []),
      ...(isAgreed(association, QueryClass.StudyGet) ? ['C-GET'] : []),
    ]
    if (ways.length === 0) return refused('The peer offers neither C-MOVE nor C-GET')
    return { outcome: 'ok', message: ways.join(', ') }
  },
  store: async (association) =>
    imageClasses.some((one) => isAgreed(association, one)) ? ok : refused('The peer takes no images (C-STORE)'),
  commit: async (association) =>
    isAgreed(association, CommitmentPush) ? ok : refused('The peer does not offer storage commitment'),
}

async function searchNobody(
  association: Association,
  sopClass: string,
  keys: Parameters<typeof find>[2],
): Promise<Verdict> {
  const { status } = await find(association, sopClass, keys, () => 'enough')
  return verdictOf(status)
}

function verdictOf(status: number): Verdict {
  return kindOfStatus(status) === 'success'
    ? ok
    : { outcome: 'failed', message: `The peer answered ${formatStatus(status)}` }
}

function explain(error: unknown): Verdict {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { outcome: 'failed', message: 'The peer did not answer in time' }
  if (!(error instanceof DimseError)) throw error
  return { outcome: error.code === 'not-accepted' ? 'refused' : 'failed', message: error.message }
}

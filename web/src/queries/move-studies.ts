import { studyDelete, studyRevive } from '@hilum/contract/calls/study-acts'
import {
  type Shareable,
  type ShareInForce,
  studyShare,
  type StudyShareAccess,
  studyShareAccess,
  studyShareStop,
} from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/api-failure.ts'
import { callBundle } from '../api/call-bundle.ts'
import { readStudiesAgain, removeFromLists } from './patch-studies.ts'

interface MoveOptions {
  studies: readonly Study[]
  group: Shareable
  /** Images of several patients were looked at. */
  isMixedSeen: boolean
}

/** Outcome for one study: where it is now, and the failure that kept it here. */
export type MoveResult = { study: Study } & (
  | { at: 'group' }
  /** As it was before: the group has not got it by this act. */
  | { at: 'here'; step: 'share' | 'delete'; failure: ApiFailure }
  /** Nothing was asked for it: a share with the group stands that does not give it for good, and that the move would change. */
  | { at: 'here'; step: 'look'; stands: EarlierShare }
  /** Shared with the group and still here: since it waits there for approval or ends there, or is not known to have come, or since the deletion failed. */
  | { at: 'both'; reason: 'approval' | 'end' | 'unknown' | ApiFailure }
)

/** How an exam is shared with a group already, other than for good: later, until it is approved, or for a time. */
type EarlierShare = 'later' | 'approval' | 'end'

export interface MoveOutcome {
  group: Shareable
  results: readonly MoveResult[]
  /** Brings the moved studies back and stops the shares of the move; undefined where nothing was moved. */
  undo: (() => Promise<boolean>) | undefined
}

/** A study on its way, with the share of the move. */
interface Given {
  study: Study
  share: ShareInForce | undefined
}

/**
 * Moves studies to a group: each is shared with it, and then deleted here (0243). A study leaves only once the group has it
 * for good; where it cannot be deleted, the share is stopped again. One that is shared with the group for a time, or waits
 * for it, stays as it is. The request as a whole fails without a connection.
 * @param onOutcome is told what became of each, also when what asked for it has left the screen
 */
export function useMoveStudies(onOutcome: (outcome: MoveOutcome) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (options: MoveOptions): Promise<MoveOutcome> => {
      const { group } = options
      const { results, moved } = await move(options)
      return { group, results, undo: moved.length > 0 ? () => takeBack(client, group, moved) : undefined }
    },
    // Told before the lists change: what asked for it may be gone with the study.
    onSuccess: (outcome) => {
      onOutcome(outcome)
      const uuidsAt = (isMoved: boolean) =>
        outcome.results.filter(({ at }) => (at === 'group') === isMoved).map(({ study }) => study.uuid)
      void removeFromLists(client, uuidsAt(true))
      void readStudiesAgain(client, uuidsAt(false))
    },
  })
}

async function move({ studies: asked, group, isMixedSeen }: MoveOptions) {
  const results = new Map<Study, MoveResult>()
  const before = await callBundle(studyShareAccess, named(asked.map((study) => ({ study }))))
  const studies = asked.filter((study, at) => {
    const one = before[at]
    if (one?.isDone === false) results.set(study, { study, at: 'here', step: 'share', failure: one.failure })
    const stands = one?.isDone ? earlierShareWith(group, one.reply.shares) : undefined
    if (stands) results.set(study, { study, at: 'here', step: 'look', stands })
    return one?.isDone && !stands
  })
  const shares = await callBundle(
    studyShare,
    studies.map((study) => ({
      parameters: {
        uuid: study.uuid,
        group_id: group.uuid,
        // for good, whatever the account's own default
        expires: 0,
        ...(study.attachment_count > 0 ? { attachments: 1 as const } : {}),
        ...(isMixedSeen && study.mixed_patients === 1 ? { mixed_patients: 1 as const } : {}),
      },
    })),
  )
  const given: Given[] = []
  for (const [at, study] of studies.entries()) {
    const one = shares[at]
    if (one?.isDone) given.push({ study, share: one.reply.share })
    else if (one) results.set(study, { study, at: 'here', step: 'share', failure: one.failure })
  }
  const known = await callBundle(studyShareAccess, named(given)).catch(failedAll(given))
  const arrived = given.filter(({ study }, at) => {
    const one = known[at]
    const access = one?.isDone ? one.reply.shares.find((share) => share.uuid === group.uuid) : undefined
    const isThere = access?.state === 'delivered' && !access.awaits_approval
    if (isThere && access.expires_at === null) return true
    results.set(study, { study, at: 'both', reason: isThere ? 'end' : one?.isDone ? 'approval' : 'unknown' })
    return false
  })
  const deletions = await callBundle(
    studyDelete,
    arrived.map(({ study: { uuid, study_uid, storage_namespace, phi_namespace } }) => ({
      parameters: { uuid, study_uid, storage_namespace, phi_namespace },
    })),
  ).catch(failedAll(arrived))
  const moved = arrived.filter((_one, at) => deletions[at]?.isDone)
  for (const { study } of moved) results.set(study, { study, at: 'group' })
  const staying = arrived.flatMap((one, at) => {
    const deletion = deletions[at]
    return deletion?.isDone === false ? [{ ...one, failure: deletion.failure }] : []
  })
  const isStopped = await stopShares(group, staying)
  for (const [at, { study, share, failure }] of staying.entries()) {
    const isAsBefore = isStopped[at] || changedNothing(share)
    results.set(
      study,
      isAsBefore ? { study, at: 'here', step: 'delete', failure } : { study, at: 'both', reason: failure },
    )
  }
  return { results: asked.flatMap((study) => results.get(study) ?? []), moved }
}

/** Brings studies back here, and stops the shares of the move; true where all of that was done. */
async function takeBack(client: QueryClient, group: Shareable, moved: readonly Given[]): Promise<boolean> {
  const revived = await callBundle(studyRevive, named(moved))
  const back = moved.flatMap(({ study, share }, at) => {
    const one = revived[at]
    // sent here again meanwhile, a study has another record, which its shares go on with
    return one?.isDone ? [{ share, study: { ...study, uuid: one.reply.uuid ?? study.uuid } }] : []
  })
  const isStopped = await stopShares(group, back)
  void removeFromLists(
    client,
    back.map(({ study }) => study.uuid),
  )
  return back.length === moved.length && back.every(({ share }, at) => isStopped[at] || changedNothing(share))
}

/** Stops the shares that the move made; one that was there before stays. @returns whether each was stopped */
async function stopShares(group: Shareable, given: readonly Given[]): Promise<boolean[]> {
  const made = given.filter(({ share }) => share?.is_new === 1)
  const stops = await callBundle(
    studyShareStop,
    made.map(({ study, share }) => ({
      parameters: { uuid: study.uuid, group_id: group.uuid, ...(share ? { share_id: share.uuid } : {}) },
    })),
  ).catch(failedAll(made))
  return given.map((one) => stops[made.indexOf(one)]?.isDone === true)
}

/** A share with a group that was there before and does not give an exam for good. */
function earlierShareWith(group: Shareable, shares: readonly StudyShareAccess[]): EarlierShare | undefined {
  const share = shares.find(({ kind, uuid, state }) => kind === 'group' && uuid === group.uuid && state !== 'failed')
  if (share?.state === 'scheduled') return 'later'
  if (share?.awaits_approval) return 'approval'
  return share && share.expires_at !== null ? 'end' : undefined
}

/** Whether a share was there before, and stands as it did. */
const changedNothing = (share: ShareInForce | undefined) => share?.is_new === 0 && share.changed.length === 0

const named = (given: readonly Pick<Given, 'study'>[]) =>
  given.map(({ study }) => ({ parameters: { uuid: study.uuid } }))

/** Of a request that failed as a whole, each item failed. */
function failedAll(items: readonly unknown[]) {
  return (failure: unknown) => {
    if (!(failure instanceof ApiFailure)) throw failure
    return items.map(() => ({ isDone: false, failure }) as const)
  }
}

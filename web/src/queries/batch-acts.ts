import { studySet } from '@hilum/contract/calls/study'
import { studyStar } from '@hilum/contract/calls/study-acts'
import { tagAdd, tagDelete } from '@hilum/contract/calls/tag'
import type { Study } from '@hilum/contract/entities/study'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '../api/api-failure.ts'
import { callBundle } from '../api/call-bundle.ts'
import { hasTagName } from '../format/tag-name.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { findListedStudy } from './studies.ts'

/** A change that several studies take at once. */
export type BatchAct =
  | { kind: 'star'; star: 0 | 1 }
  | { kind: 'status'; status: Study['work_status'] }
  | { kind: 'tag'; tag: string; isAdded: boolean }

/** Outcome for one of the studies. */
interface BatchResult {
  study: Study
  failure: ApiFailure | undefined
  /** The record as the act left it; undefined of acts that leave its version alone. */
  version: number | undefined
}

export interface BatchOutcome {
  act: BatchAct
  results: readonly BatchResult[]
  /** Puts back what the act changed, and nothing else; undefined where it changed nothing. */
  undo: (() => Promise<readonly BatchResult[]>) | undefined
}

/**
 * Does the same to several studies in one request; one that fails leaves the others alone. The request as a whole fails
 * without a connection.
 * @param onOutcome is told what became of each, also when what asked for it has left the screen
 */
export function useBatchAct(onOutcome: (outcome: BatchOutcome) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ studies, act }: { studies: readonly Study[]; act: BatchAct }): Promise<BatchOutcome> => {
      // Marks hold a study as it was when it was marked; a list may know better by now.
      const before = studies.map((study) => findListedStudy(client, study.uuid) ?? study)
      const results = await actOn(client, before, act)
      const back = results.filter(({ study, failure }) => !failure && isChangedBy(act, study))
      return { act, results, undo: back.length > 0 ? () => takeBack(client, back, act) : undefined }
    },
    onSuccess: onOutcome,
  })
}

async function actOn(
  client: QueryClient,
  studies: readonly Study[],
  act: BatchAct,
  versions: readonly (number | undefined)[] = [],
): Promise<BatchResult[]> {
  const results = await send(studies, act, versions)
  void readStudiesAgain(
    client,
    studies.map(({ uuid }) => uuid),
  )
  if (act.kind === 'tag') void client.invalidateQueries({ queryKey: ['tags'] })
  return studies.map((study, at) => {
    const result = results[at]
    const isDone = result?.isDone === true
    return {
      study,
      failure: result && !result.isDone ? result.failure : undefined,
      version: isDone && 'row_version' in result.reply ? result.reply.row_version : undefined,
    }
  })
}

type Sent = readonly (
  | { isDone: true; reply: object | { row_version?: number | undefined } }
  | { isDone: false; failure: ApiFailure }
)[]

/** @param versions of the records; one that somebody changed since is refused as STALE */
function send(studies: readonly Study[], act: BatchAct, versions: readonly (number | undefined)[]): Promise<Sent> {
  if (act.kind === 'star') {
    const { star } = act
    return callBundle(
      studyStar,
      studies.map(({ uuid }) => ({ parameters: { uuid, star } })),
    )
  }
  if (act.kind === 'status') {
    const { status } = act
    return callBundle(
      studySet,
      studies.map(({ uuid }, at) => ({
        parameters: {
          study_id: uuid,
          work_status: status,
          ...(versions[at] === undefined ? {} : { row_version: versions[at] }),
        },
      })),
    )
  }
  const { tag } = act
  return callBundle(
    act.isAdded ? tagAdd : tagDelete,
    studies.map(({ uuid }) => ({ parameters: { tag, object: 'Study' as const, object_id: uuid } })),
  )
}

function isChangedBy(act: BatchAct, study: Study): boolean {
  if (act.kind === 'star') return study.star !== act.star
  if (act.kind === 'status') return study.work_status !== act.status
  return hasTagName(study.tags, act.tag) !== act.isAdded
}

/** Studies that were in different states go back each to its own, but for those that somebody changed since. */
async function takeBack(
  client: QueryClient,
  changed: readonly BatchResult[],
  act: BatchAct,
): Promise<readonly BatchResult[]> {
  const studies = changed.map(({ study }) => study)
  if (act.kind === 'star') return actOn(client, studies, { kind: 'star', star: act.star === 1 ? 0 : 1 })
  if (act.kind === 'tag') return actOn(client, studies, { ...act, isAdded: !act.isAdded })
  const byStatus = [...Map.groupBy(changed, ({ study }) => study.work_status)]
  const results = await Promise.all(
    byStatus.map(([status, some]) =>
      actOn(
        client,
        some.map(({ study }) => study),
        { kind: 'status', status },
        some.map(({ version }) => version),
      ),
    ),
  )
  return results.flat()
}

import { randomUUID } from 'node:crypto'
import type { RouteActionKind } from '@hilum/contract/routing-rule'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findLackOfNomination } from '../push/lack-of-nomination.ts'
import { pushStudy } from '../push/push-study.command.ts'
import { isConfirmedByTwo } from '../nomination/confirmed-by-two.command.ts'
import { asksOfSenders } from '../study/asks-of-senders.ts'
import { defaultMinutes } from '../study/default-minutes.ts'
import { mustApproveCode } from '../study/share-recipient.policy.ts'
import { findRecipient, findRecipientOfCode, type Recipient } from '../study/share-recipient.sql.ts'
import { shareStudy } from '../study/share-study.command.ts'
import { tellRecipient } from '../study/tell-recipient.command.ts'
import { tellWebhook } from '../telling/tell-webhook.command.ts'
import { isMeant, type StoredAction } from './stored-action.ts'
import { kindOfAction, namedBy } from './named-target.ts'
import { hasPushedSince, type RunRow } from './route-run.sql.ts'
import type { RuleRow } from './route.sql.ts'
import { listRuleTargets } from './rule-target.sql.ts'
import type { RuledRecord } from './ruled-study.sql.ts'

/** An action of a run and what came of it, as the run keeps it. */
export interface ActionResult {
  kind: RouteActionKind
  /** Uuid of the object of the action; of a share code the code. */
  target: string
  /** Name of the place, person, webhook or destination. */
  name: string
  /** `before`: an earlier run, or a person since it failed, did the same. */
  result: 'done' | 'unchanged' | 'before' | 'failed'
  /** Code of the failure. */
  reason?: string
}

interface Acting {
  rule: RuleRow
  run: RunRow
  study: RuledRecord
}

/** Notes with its run what came of an action. */
export type NoteResult = (db: Db, result: ActionResult) => Promise<void>
type Outcome = Pick<ActionResult, 'result' | 'reason'>
/** Notes an outcome in the transaction of its action. */
type NoteOutcome = (tx: Tx, outcome: Outcome) => Promise<void>

/**
 * Does one action of a rule. A failure that another try would not mend is a result; others are thrown.
 * @param note called in the transaction that does the action, so that no action is done without being noted
 */
export async function doAction(
  services: Services,
  acting: Acting,
  action: StoredAction,
  note: NoteResult = () => Promise.resolve(),
): Promise<ActionResult> {
  const { kind, uuid } = namedBy(action)
  if ('share_code' in action) return shareByCode(services, acting, action, note)
  const targets = await listRuleTargets(services.db, acting.rule.account_uuid)
  const target = targets.find((one) => one.uuid === uuid && kindOfAction(one) === kind)
  if (!target) return { kind, target: uuid, name: '', result: 'failed', reason: 'TARGET_GONE' }
  const named = { kind, target: uuid, name: target.name }
  if (kind === 'webhook') {
    if (!target.is_open) return { ...named, result: 'failed', reason: 'WEBHOOK_DISABLED' }
    const done = { ...named, result: 'done' as const }
    await services.db.transaction().execute(async (tx) => {
      await tellWebhook(tx, uuid, { event: 'ROUTE_RULE', ...about(acting) })
      await note(tx, done)
    })
    return done
  }
  const noteNamed: NoteOutcome = (tx, outcome) => note(tx, { ...named, ...outcome })
  if (kind === 'destination') return { ...named, ...(await pushByRule(services, acting, uuid, noteNamed)) }
  // the inbox of the own account takes no shares
  if (target.kind === 'account' || target.kind === 'webhook' || target.kind === 'destination') {
    return { ...named, result: 'failed', reason: 'NOT_AVAILABLE' }
  }
  const to = { kind: target.kind, uuid: target.owner_uuid }
  const recipient = await findRecipient(services.db, acting.rule.account_uuid, to)
  if (!recipient) return { ...named, result: 'failed', reason: 'TARGET_GONE' }
  return { ...named, ...(await shareByRule(services, acting, recipient, { byCode: false, minutes: null }, noteNamed)) }
}

/** Shares by a code with whom it led to when the rule was saved: nobody looks at a name before a rule sends. */
async function shareByCode(
  services: Services,
  acting: Acting,
  action: Extract<StoredAction, { share_code: string }>,
  note: NoteResult,
): Promise<ActionResult> {
  const { share_code: code, to } = action
  const found = await findRecipientOfCode(services.db, { code })
  if (!found || !isMeant(action, found)) {
    return { kind: 'share_code', target: code, name: to?.name ?? code, result: 'failed', reason: 'TARGET_GONE' }
  }
  if (await asksOfSenders(services.db, found.account_uuid)) {
    return { kind: 'share_code', target: code, name: found.name, result: 'failed', reason: 'NOT_AVAILABLE' }
  }
  const { account_uuid: ownAccount } = acting.rule
  const minutes = found.account_uuid === ownAccount ? 0 : await defaultMinutes(services.db, ownAccount)
  const recipient = { ...found, must_approve: mustApproveCode(found) }
  const named = { kind: 'share_code' as const, target: code, name: found.name }
  const how = { byCode: true, minutes: minutes || null }
  const outcome = await shareByRule(services, acting, recipient, how, (tx, one) => note(tx, { ...named, ...one }))
  return { ...named, ...outcome }
}

function about({ rule, run, study }: Acting) {
  return { phi_namespace: study.phi_namespace, study_uuid: study.uuid, rule_uuid: rule.uuid, run_uuid: run.uuid }
}

/** No request says by which address the installation is known. */
const nobodyAsks = { host: '', isHttps: false }
/** A rule is nobody: everyone concerned is told. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Shares with a recipient in the right of the rule: whoever saved it might make such rules. */
async function shareByRule(
  services: Services,
  { rule, run, study }: Acting,
  recipient: Recipient,
  how: { byCode: boolean; minutes: number | null },
  note: NoteOutcome,
): Promise<Outcome> {
  const record = await findRecordByUuid(services.db, study.uuid)
  if (!record || record.deleted) return { result: 'failed', reason: 'STUDY_GONE' }
  if (recipient.namespace_uuid === record.phi_namespace) return { result: 'failed', reason: 'LOOP' }
  const caller = { userUuid: rule.saved_by, name: `Routing rule “${rule.name}”`, clientAddress: '' }
  try {
    return await services.db.transaction().execute(async (tx) => {
      const options = { ...how, message: '', delaySeconds: 0, withAttachments: false, mixedSeen: false }
      const share = { ...options, uuid: randomUUID(), chain: run.chain }
      const done = await shareStudy(tx, caller, record, recipient, share)
      if (done.kind !== 'unchanged' && done.kind !== 'delivered') throw new NotShared(done.kind)
      const text = sharedMail(publicAddress(services.config, nobodyAsks), recipient.kind)
      if (done.kind === 'delivered' && !done.waits) await tellRecipient(tx, recipient, nobody, text, share.uuid)
      const outcome = { result: done.kind === 'delivered' ? 'done' : 'unchanged' } as const
      await note(tx, outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof NotShared) return { result: 'failed', reason: error.reason }
    throw error
  }
}

/** Puts a push on the queue; its state stands with the study, as of every push. */
async function pushByRule(
  services: Services,
  { run, study }: Acting,
  destinationUuid: string,
  note: NoteOutcome,
): Promise<Outcome> {
  const record = await findRecordByUuid(services.db, study.uuid)
  if (!record || record.deleted) return { result: 'failed', reason: 'STUDY_GONE' }
  return services.db.transaction().execute(async (tx) => {
    const outcome = outcomeOf(await askForPush(tx, run, record, destinationUuid))
    await note(tx, outcome)
    return outcome
  })
}

async function askForPush(tx: Tx, run: RunRow, record: StudyRecord, destinationUuid: string): Promise<string> {
  if (await wasPushedSinceFailure(tx, run, record, destinationUuid)) return 'before'
  const lack = await findLackOfNomination(tx, record)
  if (lack) return lack
  if (!(await isConfirmedByTwo(tx, record, destinationUuid))) return 'unconfirmed'
  return (await pushStudy(tx, undefined, record, destinationUuid)).kind
}

function outcomeOf(kind: string): Outcome {
  if (kind === 'queued') return { result: 'done' }
  if (kind === 'pending') return { result: 'unchanged' }
  if (kind === 'before') return { result: 'before' }
  return { result: 'failed', reason: notPushed[kind] ?? 'TARGET_GONE' }
}

/** Whether a person has sent all of a study to a destination since the run failed that this one follows. */
async function wasPushedSinceFailure(
  tx: Tx,
  { again_of: failed }: RunRow,
  record: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<boolean> {
  return failed !== null && hasPushedSince(tx, record, destinationUuid, failed)
}

const notPushed: Readonly<Record<string, string>> = {
  notReady: 'NOT_READY',
  foreignMrn: 'FOREIGN_MRN',
  rejected: 'REJECTED',
  unnominated: 'NOT_NOMINATED',
  unreadable: 'NOT_CONFIGURED',
  unconfirmed: 'SECOND_PERSON',
}

const reasons: Readonly<Record<string, string>> = {
  refused: 'OTHER_PATIENT',
  gone: 'STUDY_GONE',
  phantom: 'NO_IMAGES',
  frozen: 'FROZEN',
  awaitsApproval: 'AWAITS_APPROVAL',
  mixed: 'NOT_READY',
}

/** Rolls the share back. */
class NotShared extends Error {
  readonly reason: string
  constructor(kind: string) {
    super(kind)
    this.reason = reasons[kind] ?? 'FAILED'
  }
}

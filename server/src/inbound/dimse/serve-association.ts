import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import type { ProposedContext, ReceivedRequest } from '@hilum/dicom/dimse/association-pdu'
import { CommandField, isResponse } from '@hilum/dicom/dimse/command'
import { DimseError, type Rejection, rejections } from '@hilum/dicom/dimse/dimse-error'
import type { Connection } from '@hilum/dicom/dimse/listener'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { noteRefusedSender } from '../../areas/audit/note-refused-sender.command.ts'
import type { SenderAct } from '../../areas/audit/refusal.sql.ts'
import { AssociationReport } from '../../areas/node/association-report.ts'
import { type CalledNode, findNodeByTitle, insertAssociation } from '../../areas/node/node.sql.ts'
import { isPeerAllowed } from '../../areas/node/peer-rules.ts'
import { type ReceivedObject, receiveObject } from '../../areas/node/receive-object.command.ts'
import { recordReception } from '../../areas/node/record-reception.command.ts'
import { KEPT_WITH_WARNING, arrivalWarning } from '../../areas/storage/arrival-warning.ts'
import { listElsewhere } from '../../areas/study/upload-check.sql.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import type { Services } from '../../services.ts'
import { chooseContext } from './accepted-contexts.ts'
import { isQuery, queryActOf, senderActOf, senderActsOf } from './sender-acts.ts'

type Ending = { outcome: 'released' | 'refused' | DimseError['code'] | 'failed'; reason: string }

/** One association from its request to its end. Never throws: what fails is on its report and in the log. */
export async function serveAssociation(services: Services, connection: Connection, isTls: boolean): Promise<void> {
  const { openAssociations, associations } = services.metrics
  const served = new ServedAssociation(services, connection, isTls)
  openAssociations.inc()
  const ending = await served.run()
  openAssociations.dec()
  associations.inc({ outcome: ending.outcome })
  await served.report(ending)
}

type Received = Extract<ReceivedObject, { kind: 'received' }>

class ServedAssociation {
  readonly #services: Services
  readonly #association: Association
  readonly #connection: Connection
  readonly #isTls: boolean
  readonly #report = new AssociationReport(new Date())
  /** Studies of this association whose coming is on record. */
  readonly #studies = new Set<string>()
  #titles = { calledTitle: '', callingTitle: '' }
  #node: CalledNode | undefined
  #hasContext = false
  readonly #refusedClasses = new Set<string>()
  /** Services that were refused to the sender, with a count. */
  readonly #refusedActs = new Map<SenderAct, number>()

  constructor(services: Services, connection: Connection, isTls: boolean) {
    this.#services = services
    this.#connection = connection
    this.#association = connection.association
    this.#isTls = isTls
  }

  async run(): Promise<Ending> {
    try {
      let refusal = ''
      const refuse = async (request: ReceivedRequest) => {
        const { rejection, reason } = (await this.#findRefusal(request).catch(explainAway)) ?? {}
        refusal = reason ?? ''
        return rejection
      }
      const request = await acceptAssociation(this.#association, {
        refuse,
        choose: (proposal) => this.#choose(proposal),
      })
      if (!request) return { outcome: 'refused', reason: refusal }
      for (;;) {
        const message = await this.#association.receive()
        if (!message) return this.#refusedAll() ?? { outcome: 'released', reason: '' }
        await this.#answer(message)
      }
    } catch (error) {
      if (error instanceof DimseError) return this.#refusedAll() ?? { outcome: error.code, reason: error.message }
      this.#association.abort()
      this.#services.log.error({ event: 'dicom association failed', err: error })
      return { outcome: 'failed', reason: 'Something failed inside the server' }
    }
  }

  #choose(proposal: ProposedContext): string | number {
    const choice = chooseContext(proposal)
    if (typeof choice === 'string') this.#hasContext = true
    else this.#refuseClass(proposal.abstractSyntax)
    return choice
  }

  #refuseClass(sopClass: string): void {
    const act = senderActOf(sopClass)
    if (isQuery(act) && !this.#refusedActs.has(act)) this.#countRefused(act)
    this.#refusedClasses.add(sopClass)
  }

  #countRefused(act: SenderAct): void {
    this.#refusedActs.set(act, (this.#refusedActs.get(act) ?? 0) + 1)
  }

  /** A peer left without any context goes, in whatever way: the reason is ours to name. */
  #refusedAll(): Ending | undefined {
    if (this.#hasContext || this.#refusedClasses.size === 0) return undefined
    const named = [...this.#refusedClasses].slice(0, 5).join(', ')
    return { outcome: 'refused', reason: `Every context was refused: nothing proposed can be stored here (${named})` }
  }

  /** Associations that lead to no namespace have no report; the log and the record of refused access tell of them. */
  async report(ending: Ending): Promise<void> {
    const { log, db } = this.#services
    const { calledTitle, callingTitle } = this.#titles
    if (ending.outcome !== 'released') log.warn({ event: 'dicom association', ...ending, calledTitle, callingTitle })
    await this.#noteRefused()
    if (!this.#node) return
    const peer = { calledTitle, callingTitle, address: this.#connection.address, isTls: this.#isTls }
    // a peer can only answer "not accepted" to us
    const outcome = ending.outcome === 'not-accepted' ? 'failed' : ending.outcome
    const row = this.#report.finish(this.#node, peer, { at: new Date(), outcome, reason: ending.reason })
    try {
      await insertAssociation(db, row)
    } catch (error) {
      log.error({ event: 'dicom association not reported', err: error })
    }
  }

  async #noteRefused(): Promise<void> {
    const { callingTitle } = this.#titles
    const refused = { callingTitle, address: this.#connection.address, called: this.#node, acts: this.#refusedActs }
    try {
      await noteRefusedSender(this.#services, refused)
    } catch (error) {
      this.#services.log.error({ event: 'refused sender not put on record', err: error })
    }
  }

  async #findRefusal(request: ReceivedRequest): Promise<{ rejection: Rejection; reason: string } | undefined> {
    const { calledTitle, callingTitle } = request
    this.#titles = { calledTitle, callingTitle }
    if (!this.#connection.admit()) {
      return { rejection: rejections.tooManyAssociations, reason: 'Too many associations are open' }
    }
    // text that no setting can hold is no title either
    const node = calledTitle.includes('\0') ? undefined : await findNodeByTitle(this.#services.db, calledTitle)
    this.#node = node
    const { address } = this.#connection
    if (node && isPeerAllowed(node.allowedPeers, { callingTitle, address })) return undefined
    for (const act of senderActsOf(request.contexts.map((one) => one.abstractSyntax))) this.#countRefused(act)
    if (!node) return { rejection: rejections.unknownCalledTitle, reason: 'Nothing has the called AE title' }
    return { rejection: rejections.unknownCallingTitle, reason: 'The sender is not among the allowed peers' }
  }

  async #answer(message: Message): Promise<void> {
    const { command } = message
    // a cancel asks for something that is over, and a response answers what was never asked
    if (command.field === CommandField.CancelRequest || isResponse(command)) return
    const isStore = command.field === CommandField.StoreRequest && message.data !== undefined
    const answer = isStore ? await this.#store(message, message.data) : this.#answerOther(command.field)
    await reply(this.#association, message, answer)
  }

  #answerOther(field: number | undefined): { status: number } {
    const query = queryActOf(field)
    if (query) this.#countRefused(query)
    return { status: field === CommandField.EchoRequest ? Status.Success : Status.UnrecognizedOperation }
  }

  async #store({ context, command }: Message, data: Message['data']): Promise<{ status: number; comment?: string }> {
    const node = this.#node
    if (!node || !data) throw new Error('An object came before the association was open')
    const sent = {
      sopClass: command.affectedSopClass ?? '',
      sopInstance: command.affectedSopInstance ?? '',
      transferSyntax: context.transferSyntax,
      data,
    }
    const received = await receiveObject(this.#services, node, this.#titles.callingTitle, sent)
    if (received.kind === 'failed') {
      this.#report.countFailure(received.status, received.reason)
      return { status: received.status, comment: received.reason }
    }
    try {
      await this.#putOnRecord(node, received.facts.studyUid)
      const warning = await this.#findWarning(node, received)
      this.#report.countReceived(received.outcome, received.bytes)
      return this.#acknowledge(warning)
    } catch (error) {
      if (!(error instanceof DatabaseAwayError)) throw error
      const reason = 'The database of the server does not answer'
      this.#report.countFailure(Status.OutOfResources, reason)
      return { status: Status.OutOfResources, comment: reason }
    }
  }

  async #putOnRecord(node: CalledNode, studyUid: string): Promise<void> {
    if (this.#studies.has(studyUid)) return
    const { address } = this.#connection
    const sender = { ...this.#titles, address, associationUuid: this.#report.uuid }
    await recordReception(this.#services, node, sender, studyUid)
    this.#studies.add(studyUid)
  }

  async #findWarning(node: CalledNode, { outcome, facts }: Received): Promise<string | undefined> {
    const named = [{ study_uid: facts.studyUid, sop_uid: facts.sopUid }]
    const elsewhere = await listElsewhere(this.#services.db, node.namespaceUuid, named)
    return arrivalWarning({ isConflict: outcome === 'conflict', isElsewhere: elsewhere.length > 0 })
  }

  /** A warning counts as stored: the sender has nothing to repeat, but its people have something to look at. */
  #acknowledge(warning: string | undefined): { status: number; comment?: string } {
    if (!warning) return { status: Status.Success }
    this.#report.countWarning(KEPT_WITH_WARNING, warning)
    return { status: KEPT_WITH_WARNING, comment: warning }
  }
}

/** A sender that is rejected for a while comes again; one that is cut off may give up. */
function explainAway(error: unknown): { rejection: Rejection; reason: string } {
  if (!(error instanceof DatabaseAwayError)) throw error
  return { rejection: rejections.congested, reason: 'The database does not answer' }
}

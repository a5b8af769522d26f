import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import type { ProposedContext, ReceivedRequest, AssociationRole } from '@hilum/dicom/dimse/association-pdu'
import { CommitmentPush } from '@hilum/dicom/dimse/commitment'
import { CommandField, isResponse } from '@hilum/dicom/dimse/command'
import { DimseError, type Rejection, rejections } from '@hilum/dicom/dimse/dimse-error'
import type { PeerConnection } from '@hilum/dicom/dimse/listener'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { noteRefusedSender } from '../../areas/audit/note-refused-sender.command.ts'
import type { SenderAct } from '../../areas/audit/refusal.sql.ts'
import { AssociationReport } from '../../areas/node/association-report.ts'
import { type CalledNode, type PlaceWithPeers, findNodeByTitle, insertAssociation } from '../../areas/node/node.sql.ts'
import { isPeerAllowed, mayPeerQuery } from '../../areas/node/peer-rules.ts'
import { type ReceivedObject, receiveObject } from '../../areas/node/receive-object.command.ts'
import { Departures } from '../../areas/push/begin-departure.command.ts'
import { findAwaitedReport } from '../../areas/push/awaited-report.ts'
import { rightEndedWords } from '../../areas/push/push-words.ts'
import { findAwaitingNode, findExpectedStudy } from '../../areas/retrieve/expected-study.ts'
import { recordReception } from '../../areas/node/record-reception.command.ts'
import { STORED_WITH_WARNING, arrivalWarning } from '../../areas/ingest/arrival-warning.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import { MustNotSendError } from '../../outbound/pacs/outgoing-instance.ts'
import type { Services } from '../../services.ts'
import { chooseContext } from './accepted-contexts.ts'
import { serveCommitment } from './serve-commitment.ts'
import { serveFind } from './serve-query.ts'
import { serveRetrieval } from './serve-retrieval.ts'
import { isQuery, queryActOf, senderActOf, senderActsOf } from './sender-acts.ts'

type Ending = { outcome: 'released' | 'refused' | DimseError['code'] | 'failed'; reason: string }

/** One association from its request to its end. Never throws: what fails is on its report and in the log. */
export async function serveAssociation(services: Services, connection: PeerConnection, isTls: boolean): Promise<void> {
  const { openAssociations, associations } = services.metrics
  const served = new ServedAssociation(services, connection, isTls)
  openAssociations.inc()
  const ending = await served.run()
  openAssociations.dec()
  associations.inc({ outcome: ending.outcome })
  await served.report(ending)
}

/** Why an association is ended: what the peer was allowed at its beginning is not allowed any more. */
const peerRightEnded = 'A right of the peer was taken away'

type Rights = { stores: boolean; queries: boolean; worklists: boolean }
type Received = Extract<ReceivedObject, { kind: 'received' }>

class ServedAssociation {
  readonly #services: Services
  readonly #association: Association
  readonly #connection: PeerConnection
  readonly #isTls: boolean
  readonly #report = new AssociationReport(new Date())
  /** Exams that the peer has fetched over this association, if it is a destination. */
  readonly #departures: Departures
  /** Studies of this association whose coming is on record. */
  readonly #studies = new Set<string>()
  #titles = { calledTitle: '', callingTitle: '' }
  #node: CalledNode | undefined
  /** Whether one of our own nodes was called, which takes studies that are being retrieved, reports on commitment, and nothing else. */
  #isOwnNode = false
  /** Whether a destination called that has still to report on storage commitment. */
  #awaitsReport = false
  /** Services that the peer may use: to store, to query and retrieve, and to ask for the worklist. */
  #rights: Rights = { stores: true, queries: false, worklists: false }
  /** When those rights were looked up (`performance.now()`). */
  #rightsAt = 0
  /** Aborted when a right of the peer ends that the association began with. */
  readonly #ended = new AbortController()
  #isAnswering = false
  #hasContext = false
  readonly #refusedClasses = new Set<string>()
  /** Services that were refused to the sender, with a count. */
  readonly #refusedActs = new Map<SenderAct, number>()

  constructor(services: Services, connection: PeerConnection, isTls: boolean) {
    this.#services = services
    this.#departures = new Departures(services)
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
        choose: (proposal, { roles }) => this.#choose(proposal, roles),
        sendsBack: (sopClass) => (sopClass === CommitmentPush ? this.#awaitsReport : this.#rights.queries),
      })
      if (!request) return { outcome: 'refused', reason: refusal }
      return await this.#answerAll()
    } catch (error) {
      if (this.#ended.signal.aborted) return { outcome: 'refused', reason: peerRightEnded }
      if (error instanceof DimseError) return this.#refusedAll() ?? { outcome: error.code, reason: error.message }
      this.#association.abort()
      this.#services.log.error({ event: 'dicom association failed', err: error })
      return { outcome: 'failed', reason: 'Something failed inside the server' }
    } finally {
      await this.#departures.end()
    }
  }

  async #answerAll(): Promise<Ending> {
    const endWatch = this.#watchRights()
    try {
      for (;;) {
        const message = await this.#association.receive()
        if (!message) return this.#refusedAll() ?? { outcome: 'released', reason: '' }
        this.#isAnswering = true
        await this.#answer(message)
        this.#isAnswering = false
        if (!this.#ended.signal.aborted) continue
        this.#association.abort()
        return { outcome: 'refused', reason: peerRightEnded }
      }
    } finally {
      endWatch()
    }
  }

  /**
   * Ends the association when a right ends that it began with, of whatever service: at once between two messages, else
   * with the answer to the present one. The peer comes again for what is left to it.
   */
  #watchRights(): () => void {
    const [node, before] = [this.#node, this.#rights]
    if (!node || this.#isOwnNode) return () => undefined
    return this.#services.access.open({
      userUuid: '',
      askedAt: this.#rightsAt,
      stillMay: async () => {
        const now = await findNodeByTitle(this.#services.db, this.#titles.calledTitle)
        if (now?.namespaceUuid !== node.namespaceUuid) return false
        const { stores, queries, worklists } = this.#rightsIn(now)
        return (stores || !before.stores) && (queries || !before.queries) && (worklists || !before.worklists)
      },
      close: () => {
        this.#ended.abort(new MustNotSendError(rightEndedWords))
        if (!this.#isAnswering) this.#association.abort()
      },
    })
  }

  #choose(proposal: ProposedContext, roles: readonly AssociationRole[]): string | number {
    const { queries } = this.#rights
    const sendsBack = (sopClass: string) => queries && roles.some((one) => one.isScp && one.sopClass === sopClass)
    const choice = chooseContext(proposal, { ...this.#rights, commits: this.#commits, sendsBack })
    if (typeof choice === 'string') this.#hasContext = true
    else this.#refuseClass(proposal.abstractSyntax)
    return choice
  }

  /** Peers that may send may ask what is stored; one of our own nodes is told by those whom it asked. */
  get #commits(): boolean {
    return this.#isOwnNode ? this.#awaitsReport : this.#rights.stores
  }

  #refuseClass(sopClass: string): void {
    const act = senderActOf(sopClass)
    const isOfAccess = isQuery(act) || (act === 'C-STORE' && !this.#rights.stores)
    if (isOfAccess && !this.#refusedActs.has(act)) this.#countRefused(act)
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
    this.#rightsAt = performance.now()
    // text that no setting can hold is no title either
    const node = calledTitle.includes('\0') ? undefined : await findNodeByTitle(this.#services.db, calledTitle)
    this.#node = node
    if (!node && (await this.#findAwaited(calledTitle))) return undefined
    if (node) {
      this.#rights = this.#rightsIn(node)
      if (Object.values(this.#rights).includes(true)) return undefined
    }
    for (const act of senderActsOf(request.contexts.map((one) => one.abstractSyntax))) this.#countRefused(act)
    if (!node) return { rejection: rejections.unknownCalledTitle, reason: 'Nothing has the called AE title' }
    return { rejection: rejections.unknownCallingTitle, reason: 'The sender is not among the allowed peers' }
  }

  #rightsIn({ allowedPeers, queryPeers, worklistPeers }: PlaceWithPeers): Rights {
    const peer = { callingTitle: this.#titles.callingTitle, address: this.#connection.address }
    return {
      stores: isPeerAllowed(allowedPeers, peer),
      queries: mayPeerQuery(queryPeers, peer),
      worklists: mayPeerQuery(worklistPeers, peer),
    }
  }

  /** Whether a study is on its way here by a node of our own, or a report on one that was sent, from this peer. */
  async #findAwaited(calledTitle: string): Promise<boolean> {
    const peer = { callingTitle: this.#titles.callingTitle, address: this.#connection.address }
    const { db } = this.#services
    const retrieving = await findAwaitingNode(db, calledTitle, peer)
    const reporting = await findAwaitedReport(db, calledTitle, peer)
    const node = retrieving ?? reporting
    if (!node) return false
    this.#isOwnNode = true
    this.#awaitsReport = reporting !== undefined
    this.#node = node
    return true
  }

  async #answer(message: Message): Promise<void> {
    const { command } = message
    // a cancel asks for something that is over, and a response answers what was never asked
    if (command.field === CommandField.CancelRequest || isResponse(command)) return
    const query = queryActOf(command.field)
    // a context of a query was taken only from a peer that may ask
    if (query && this.#node && query === senderActOf(message.context.abstractSyntax)) {
      const { address } = this.#connection
      const isOver = this.#ended.signal
      const peer = { ...this.#titles, node: this.#node, address, associationUuid: this.#report.uuid, isOver }
      return command.field === CommandField.FindRequest
        ? serveFind(this.#services, this.#association, message, peer)
        : serveRetrieval(this.#services, this.#association, message, peer, this.#departures)
    }
    if (message.context.abstractSyntax === CommitmentPush && this.#node) {
      const { namespaceUuid } = this.#node
      const peer = { ...this.#titles, address: this.#connection.address, namespaceUuid, isOwnNode: this.#isOwnNode }
      return serveCommitment(this.#services, this.#association, message, peer)
    }
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
    if (!this.#rights.stores) {
      this.#countRefused('C-STORE')
      return { status: Status.NotAuthorized, comment: 'This peer may ask for studies and not send any' }
    }
    const { calledTitle, callingTitle } = this.#titles
    const { address } = this.#connection
    const expected = this.#isOwnNode
      ? await findExpectedStudy(
          this.#services.db,
          calledTitle,
          { callingTitle, address },
          command.moveOriginatorMessageId,
        )
      : undefined
    if (this.#isOwnNode && !expected) {
      const reason = 'No study is being retrieved that this object could belong to'
      this.#report.countFailure(Status.ProcessingFailure, reason)
      return { status: Status.ProcessingFailure, comment: reason }
    }
    const node = expected?.node ?? this.#node
    if (!node || !data) throw new Error('An object came before the association was open')
    const sent = {
      ...(expected ? { studyUid: expected.studyUid } : {}),
      sopClass: command.affectedSopClass ?? '',
      sopInstance: command.affectedSopInstance ?? '',
      transferSyntax: context.transferSyntax,
      data,
    }
    const received = await receiveObject(this.#services, node, callingTitle, sent)
    if (received.kind === 'failed') {
      this.#report.countFailure(received.status, received.reason)
      return { status: received.status, comment: received.reason }
    }
    try {
      await this.#putOnRecord(node, received.facts.studyUid)
      const warning = this.#findWarning(received)
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

  #findWarning({ outcome, elsewhere }: Received): string | undefined {
    return arrivalWarning({ isConflict: outcome === 'conflict', isElsewhere: elsewhere.length > 0 })
  }

  /** A warning counts as stored: the sender has nothing to repeat, but its people have something to look at. */
  #acknowledge(warning: string | undefined): { status: number; comment?: string } {
    if (!warning) return { status: Status.Success }
    this.#report.countWarning(STORED_WITH_WARNING, warning)
    return { status: STORED_WITH_WARNING, comment: warning }
  }
}

/** A sender that is rejected for a while comes again; one that is cut off may give up. */
function explainAway(error: unknown): { rejection: Rejection; reason: string } {
  if (!(error instanceof DatabaseAwayError)) throw error
  return { rejection: rejections.congested, reason: 'The database does not answer' }
}

import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import type { ReceivedRequest } from '@hilum/dicom/dimse/association-pdu'
import { CommandField, isResponse } from '@hilum/dicom/dimse/command'
import { DimseError, type Rejection, rejections } from '@hilum/dicom/dimse/dimse-error'
import type { Connection } from '@hilum/dicom/dimse/listener'
import { reply } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { AssociationReport } from '../../areas/node/association-report.ts'
import { type CalledNode, findNodeByTitle, insertAssociation } from '../../areas/node/node.sql.ts'
import { isPeerAllowed } from '../../areas/node/peer-rules.ts'
import { receiveObject } from '../../areas/node/receive-object.command.ts'
import { recordReception } from '../../areas/node/record-reception.command.ts'
import type { Services } from '../../services.ts'
import { chooseContext } from './accepted-contexts.ts'

type Ending = { outcome: 'released' | 'refused' | DimseError['code'] | 'failed'; reason: string }

/** One association from its request to its end. Never throws: what fails is on its report and in the log. */
export async function serveAssociation(services: Services, connection: Connection, isTls: boolean): Promise<void> {
  const served = new ServedAssociation(services, connection, isTls)
  const ending = await served.run()
  await served.report(ending)
}

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
        const { rejection, reason } = (await this.#findRefusal(request)) ?? {}
        refusal = reason ?? ''
        return rejection
      }
      const request = await acceptAssociation(this.#association, { refuse, choose: chooseContext })
      if (!request) return { outcome: 'refused', reason: refusal }
      for (;;) {
        const message = await this.#association.receive()
        if (!message) return { outcome: 'released', reason: '' }
        await this.#answer(message)
      }
    } catch (error) {
      if (error instanceof DimseError) return { outcome: error.code, reason: error.message }
      this.#association.abort()
      this.#services.log.error({ event: 'dicom association failed', err: error })
      return { outcome: 'failed', reason: 'Something failed inside the server' }
    }
  }

  /** Associations that lead to no namespace are nobody's to see, and only in the log. */
  async report(ending: Ending): Promise<void> {
    const { log, db } = this.#services
    const { calledTitle, callingTitle } = this.#titles
    if (ending.outcome !== 'released') log.warn({ event: 'dicom association', ...ending, calledTitle, callingTitle })
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

  async #findRefusal(request: ReceivedRequest): Promise<{ rejection: Rejection; reason: string } | undefined> {
    const { calledTitle, callingTitle } = request
    this.#titles = { calledTitle, callingTitle }
    if (!this.#connection.admit()) {
      return { rejection: rejections.tooManyAssociations, reason: 'Too many associations are open' }
    }
    // text that no setting can hold is no title either
    const node = calledTitle.includes('\0') ? undefined : await findNodeByTitle(this.#services.db, calledTitle)
    if (!node) return { rejection: rejections.unknownCalledTitle, reason: 'Nothing has the called AE title' }
    this.#node = node
    const { address } = this.#connection
    if (isPeerAllowed(node.allowedPeers, { callingTitle, address })) return undefined
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
    const { studyUid } = received.facts
    if (!this.#studies.has(studyUid)) {
      const { address } = this.#connection
      const sender = { ...this.#titles, address, associationUuid: this.#report.uuid }
      await recordReception(this.#services, node, sender, studyUid)
      this.#studies.add(studyUid)
    }
    this.#report.countReceived(received.outcome, received.bytes)
    // a conflict copy is kept as well as any other: the sender has nothing to repeat
    return { status: Status.Success }
  }
}

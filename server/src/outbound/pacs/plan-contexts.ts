import type { Proposal } from '@hilum/dicom/dimse/request-association'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { OutgoingInstance } from './outgoing-instance.ts'

/** Contexts and instances of one association, or of several alike. */
export interface AssociationPlan {
  proposals: Proposal[]
  instances: OutgoingInstance[]
}

/**
 * Deals instances out to associations: one context for each class in each stored syntax, so that the peer's answer to one
 * says nothing about another, and one for each class in what any peer must understand. At most `maxContexts` go into one
 * association; what is left goes into a further one.
 */
export function planContexts(instances: readonly OutgoingInstance[], maxContexts: number): AssociationPlan[] {
  const plans: AssociationPlan[] = []
  for (const ofClass of Map.groupBy(instances, (one) => one.sopClass).values()) {
    const ofSyntax = [...Map.groupBy(ofClass, (one) => one.transferSyntax).values()]
    // a class with more syntaxes than fit is spread over several plans, each with its own way out
    for (let first = 0; first < ofSyntax.length; first += maxContexts - 1) {
      const part = ofSyntax.slice(first, first + maxContexts - 1)
      const proposals = proposalsFor(part)
      let plan = plans.find((one) => one.proposals.length + proposals.length <= maxContexts)
      if (!plan) {
        plan = { proposals: [], instances: [] }
        plans.push(plan)
      }
      plan.proposals.push(...proposals)
      plan.instances.push(...part.flat())
    }
  }
  return plans
}

function proposalsFor(ofSyntax: readonly OutgoingInstance[][]): Proposal[] {
  const stored = ofSyntax.flatMap(([first]) => (first ? [first] : []))
  const proposals = stored.map((one) => ({ abstractSyntax: one.sopClass, transferSyntaxes: [one.transferSyntax] }))
  const abstractSyntax = stored[0]?.sopClass ?? ''
  const syntaxes = new Set(stored.map((one) => one.transferSyntax))
  const isAllUncompressed = [...syntaxes].every((uid) => uid === ExplicitLittleEndian || uid === ImplicitLittleEndian)
  if (!isAllUncompressed) {
    proposals.push({ abstractSyntax, transferSyntaxes: [ExplicitLittleEndian, ImplicitLittleEndian] })
  } else if (!syntaxes.has(ImplicitLittleEndian)) {
    proposals.push({ abstractSyntax, transferSyntaxes: [ImplicitLittleEndian] })
  }
  return proposals
}

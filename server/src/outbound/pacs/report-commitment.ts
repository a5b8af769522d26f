import { type Commitment, CommitmentPush, sendReport } from '@hilum/dicom/dimse/commitment'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { overAssociation } from './ended-association.ts'

/**
 * Reports to a peer, over an association of its own, which images are stored here. The one who reports calls as the
 * provider of the service (PS3.4 J.3.3), so the role is proposed.
 * @throws DimseError
 */
export async function reportCommitment(
  peer: Peer,
  report: Commitment,
  signal: AbortSignal,
): Promise<{ status: number; comment: string }> {
  const proposal = {
    abstractSyntax: CommitmentPush,
    transferSyntaxes: [ExplicitLittleEndian, ImplicitLittleEndian],
    isScp: true,
  }
  const association = await requestAssociation(peer, [proposal], { signal })
  return overAssociation(association, () => sendReport(association, report))
}

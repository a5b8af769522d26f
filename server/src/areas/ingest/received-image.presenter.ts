import type { ReceivedImage } from './receive-image.command.ts'

type Facts = 'studyUid' | 'seriesUid' | 'sopUid' | 'sopClass' | 'transferSyntax' | 'modality' | 'frames'
type Received = Omit<ReceivedImage, 'facts' | 'elsewhere'> & { facts: Pick<ReceivedImage['facts'], Facts> }

/**
 * The answer to an upload. `attr` describes the image; `outcome` and `elsewhere` are ours.
 * @param elsewhere other studies of the namespace with an image of the same SOP UID
 */
export function presentReceivedImage(
  { outcome, version, sha256, facts }: Received,
  namespaceUuid: string,
  elsewhere: readonly string[] = [],
) {
  return {
    study_uid: facts.studyUid,
    image_uid: facts.sopUid,
    image_version: version,
    namespace: namespaceUuid,
    attr: {
      series_uid: facts.seriesUid,
      sop_class_uid: facts.sopClass,
      transfer_syntax_uid: facts.transferSyntax,
      modality: facts.modality,
      frame_count: facts.frames,
      sha256,
    },
    outcome,
    ...(elsewhere.length > 0 ? { elsewhere } : {}),
  }
}

import type { studyEditLimits } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { countBySopClass } from '../storage/record-images.sql.ts'

const encapsulatedPdf = '1.2.840.10008.5.1.4.1.1.104.1'
const structuredReports = '1.2.840.10008.5.1.4.1.1.88.'
/** Secondary capture of every kind; ultrasound, also retired; visible light and video; angiography captured on screen. */
const oftenBurnedIn = [
  '1.2.840.10008.5.1.4.1.1.7',
  '1.2.840.10008.5.1.4.1.1.6.',
  '1.2.840.10008.5.1.4.1.1.3.',
  '1.2.840.10008.5.1.4.1.1.77.1.1.1',
  '1.2.840.10008.5.1.4.1.1.77.1.4.1',
]

/** Counts by SOP class: (0028,0301) Burned In Annotation is not indexed, and rarely filled. */
export const editLimits: Handler<typeof studyEditLimits> = async ({ services, on }) => {
  const counts = await countBySopClass(services.db, on.record)
  const sum = (matches: (sopClass: string) => boolean) =>
    counts.filter((one) => matches(one.sop_class)).reduce((total, one) => total + one.count, 0)
  return {
    pdf: sum((one) => one === encapsulatedPdf),
    sr: sum((one) => one.startsWith(structuredReports)),
    burned_in: sum((one) => oftenBurnedIn.some((root) => one === root || one.startsWith(root.replace(/\.?$/, '.')))),
    image_count: sum(() => true),
  }
}

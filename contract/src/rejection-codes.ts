/**
 * Reasons for which images are rejected, by their codes of DICOM (PS3.16 CID 7011), as IHE's Imaging Object Change Management
 * tells them.
 */
export const rejectionCodes = {
  '113001': 'Rejected for Quality Reasons',
  '113037': 'Rejected for Patient Safety Reasons',
  '113038': 'Incorrect Modality Worklist Entry',
  '113039': 'Data Retention Policy Expired',
} as const
export type RejectionCode = keyof typeof rejectionCodes
export const rejectionCodeValues = ['113001', '113037', '113038', '113039'] as const satisfies readonly RejectionCode[]

/** The code of a reason in words, for clients that send no code; undefined where the words are none of a code. */
export function codeOfReason(reason: string): RejectionCode | undefined {
  const words = reason.trim().toLowerCase()
  return rejectionCodeValues.find((code) => words === code || words === rejectionCodes[code].toLowerCase())
}

/** Conditions of HL7 table 0357 that an answer names. */
export const hl7Conditions = {
  segments: { code: '100', text: 'Hl7Segment sequence error', answer: 'AE' },
  missing: { code: '101', text: 'Required field missing', answer: 'AE' },
  form: { code: '102', text: 'Data type error', answer: 'AE' },
  value: { code: '103', text: 'Table value not found', answer: 'AE' },
  messageType: { code: '200', text: 'Unsupported message type', answer: 'AR' },
  event: { code: '201', text: 'Unsupported event code', answer: 'AR' },
  processing: { code: '202', text: 'Unsupported processing id', answer: 'AR' },
  version: { code: '203', text: 'Unsupported version id', answer: 'AR' },
  unknownKey: { code: '204', text: 'Unknown key identifier', answer: 'AE' },
  internal: { code: '207', text: 'Application internal error', answer: 'AR' },
} as const

/**
 * A message that is not taken: AE for what is wrong in it, AR for what would be refused whatever it says, or may pass.
 * The words hold no patient data.
 */
export class Hl7Fault extends Error {
  override readonly name = 'Hl7Fault'
  readonly condition: keyof typeof hl7Conditions
  /** Hl7Segment and field, as `PID` or `PID-7`; empty where no single place is wrong. */
  readonly place: string

  constructor(condition: keyof typeof hl7Conditions, words: string, place = '') {
    super(words)
    this.condition = condition
    this.place = place
  }
}

/**
 * Every business error the API can answer with: the wire token and what it means to a person who reads a log.
 * All of them travel as HTTP 412 but for the ones with a status of their own (`api-facts` §1: 401 no login, 405 method).
 */
export const errors = {
  ALREADY_EXISTS: 'The record exists already',
  ANSWERED_BEFORE: 'The key came before; error_subtype says why its answer is not given again',
  BAD_PASSWORD: 'The new password breaks the password rule',
  BLOCKED: 'Asked again too soon with nothing changed since',
  BY_NOT_FOUND: 'Rules of sharing are made by the account itself',
  CAN_NOT_PROMOTE: 'The role allows more than the caller may do',
  CAN_NOT_REVIVE:
    'The study is not deleted, was deleted too long ago, or names another patient than its record of today',
  DISABLED: 'The user is disabled',
  DUPLICATE_EMAIL: 'Another user has this e-mail address',
  DUPLICATE_NAME: 'Another organisation has this name',
  DUPLICATE_VANITY: 'Another organisation has this host name',
  DUP_AETITLE: 'Another node or destination has this AE title',
  DUP_NAMESPACE_NAME: 'Another group or location has this name',
  DUP_SHARE_CODE: 'Somebody else takes in by this share code',
  EXPIRED: 'The session or the link has ended',
  FILTER_NOT_FOUND: 'No saved search with this id',
  FOREIGN_MRN: 'Another assigning authority than the organisation gave the MRN, and the destination takes none such',
  HAS_DESTINATIONS:
    'Destinations still use the node, something is fetched by it, or a report on what was stored is due',
  INSUFFICIENT_CRITERIA: 'A search needs a name, an MRN, an accession number, a description or a modality',
  INVALID_ACTION: 'No act of this name can be put on record, or an action that a rule cannot have; error_data says why',
  INVALID_CONDITION: 'A filter or a rule uses a condition that its field does not know',
  INVALID_CONFIG: 'A saved search is a hash of filter expressions or a list of saved searches',
  INVALID_CREDENTIALS: 'Wrong login or password',
  INVALID_CUSTOMFIELD: 'A custom field value is not acceptable',
  INVALID_DICOM_TAG: 'No DICOM attribute with values in words or numbers has this tag',
  INVALID_DICOM_TAG_OBJECT: 'Fields of this kind of object are not mapped to attributes of images',
  INVALID_EVENT: 'No event of this name, or none that webhooks are called for here',
  INVALID_EMAIL: 'Not an e-mail address',
  INVALID_FIELD: 'A filter or value names something that does not exist or has the wrong form',
  INVALID_FLAG: 'A flag is neither 0 nor 1',
  INVALID_HL7_FIELD: 'The number of a field or component in HL7 is 1 to 999',
  INVALID_HL7_OBJECT: 'Fields of this kind of object are not mapped to messages in HL7',
  INVALID_HL7_SEGMENT: 'No segment of HL7 that fields can be mapped to',
  INVALID_INTEGER: 'Not a whole number',
  INVALID_JSON: 'Not readable as JSON',
  INVALID_LINK: 'Not an address of this installation, to which its mails lead',
  INVALID_LINKAGE: 'The place does not belong to the account, or rules cannot be made for it',
  INVALID_MANUAL_ROLES: 'A role is not one of the account',
  INVALID_METHOD: 'No such method, or none that webhooks are called by',
  INVALID_OBJECT: 'No such kind of object, or not for this call',
  INVALID_OPTION: 'No such option of a rule, or none that is available here',
  INVALID_OPTIONS: 'The options of the custom field do not fit its type',
  INVALID_OTHER_NAMESPACES: 'A place is not one of the account',
  INVALID_PARAMETERS: 'None or several are named where one is expected',
  INVALID_PASSWORD: 'The current password is wrong',
  INVALID_PERMISSION: 'No permission of this name',
  INVALID_PERMISSION_VALUE: 'A permission takes 0 or 1',
  INVALID_SCHEDULE: 'The schedule names no day, or a time or zone that there is not',
  INVALID_PIN: 'The code is wrong, or was taken before',
  INVALID_SETTING: 'No setting of this name',
  INVALID_SETTING_VALUE: 'The setting does not take this value',
  INVALID_SID: 'The session waits for nothing, or is over',
  INVALID_SORT_FIELD: 'The list cannot be sorted by this field',
  INVALID_SORT_ORDER: 'The sort order is neither asc nor desc',
  INVALID_STATUS: 'No such status',
  INVALID_TIME_ZONE: 'No time zone of this name',
  INVALID_TOKEN: 'The link is used up, out of date or was never given',
  INVALID_TYPE: 'No such type',
  INVALID_URL: 'Not an address that webhooks may be sent to',
  INVALID_VANITY: 'Not a host name, or more than ten',
  INVALID_VALUE: 'A value has a form that its field does not take',
  IN_USE: 'Somebody or something else still uses it; error_subtype may say where',
  LOCKED: 'Another user holds the study',
  LOCKOUT: 'Too many attempts; wait before the next',
  ACCOUNT_NOT_FOUND: 'No such account, or none that the caller belongs to',
  AUTH_FAILED: 'The login or the password is wrong',
  NODE_NOT_FOUND: 'The account has no such node',
  NOT_READY: 'The study cannot be sent yet',
  NOT_SUPPORTED:
    'The destination is not set up for this; with the subtype call, a call of the public API that is not answered here, and error_data says why',
  PENDING: 'The study waits to be sent there already',
  TOO_MANY_KEYS: 'There are as many keys as one person may have; end one first',
  MISSING_FIELDS: 'A required field is absent or empty',
  MRN_HELD: 'Somebody else holds the MRN; it takes a reason to give it to this patient too',
  NAMESPACE_NOT_FOUND: 'No such namespace, or none that the caller may use',
  NO_DESTINATION: 'The study cannot be put into this namespace',
  NO_DICOM_TAG_DEFINED: 'Values are taken from an attribute of images, and none is named',
  NO_ROLE_OVERRIDE: 'A role cannot set this otherwise than its account',
  NO_SECOND_FACTOR: 'The sign-in asks for no second factor',
  NO_OTHER_ROLE_EDIT: 'The account would have nobody who may administer it',
  NOT_AVAILABLE: 'Something is in the way; error_subtype says what',
  NOT_DISABLED: 'The user is enabled already',
  NOT_EMPTY: 'There are studies in it',
  NOT_FOUND: 'No such record, or none that the caller may see',
  NOT_HASH: 'A JSON object is expected',
  NOT_LIST: 'A JSON list is expected',
  NOT_MEMBER: 'The user does not belong to this namespace',
  NOT_NOMINATED:
    'A gatekeeper group sends only exams that were nominated to it; one whose nomination was rejected is sent neither from there nor from the place that nominated it, and is not edited in the group',
  NOT_PERMITTED: 'The caller lacks the permission',
  PASSWORD_RESET: 'The password has expired; send new_password in the same call',
  PIN_EXPIRED: 'The time for the code is over, or it was tried too often; sign in again',
  PHANTOM: 'No image of the study has arrived yet',
  PROOF_REQUIRED: 'It takes a proof of who is asking: session/prove',
  REPORT_ERROR: 'The report has too many lines: narrow it by a filter',
  ROLE_NAMESPACE_MISMATCH: 'The role is not made for such a place',
  ROLE_NOT_FOUND: 'The account has no such role',
  ROUTE_NOT_MATCHED: 'The route is not among those of the study',
  RUNNING: 'Images of the study are being moved already',
  SHARE_FAILED: 'The study cannot be shared there; error_subtype says why',
  SECOND_PERSON: 'A second person has to confirm the patient of the study before it is sent',
  SSO_ONLY: 'The organisation lets its people in by its provider of identities alone',
  SSO_REFUSED: 'The sign-in by the provider of identities came to nothing; error_subtype says why',
  STALE: 'The record changed since it was read',
  STUDY_SET_PARAMS_EMPTY: 'Nothing was sent that could be set',
  USER_NOT_FOUND: 'The account has no such user',
  WITH_NOT_FOUND: 'No such account to share with',
} as const

export type ErrorCode = keyof typeof errors

/** Codes that any call may answer with, so no call has to declare them (`api-facts` §1, "Common errors"). */
export const commonErrors = ['MISSING_FIELDS', 'NOT_FOUND', 'NOT_PERMITTED'] as const satisfies readonly ErrorCode[]

/** Codes that any filtered or sorted list may answer with besides. */
export const listErrors = [
  'INVALID_FIELD',
  'INVALID_CONDITION',
  'FILTER_NOT_FOUND',
  'INVALID_SORT_FIELD',
  'INVALID_SORT_ORDER',
  'INVALID_INTEGER',
  'INVALID_JSON',
] as const satisfies readonly ErrorCode[]

export interface ErrorDetail {
  /** `error_subtype`: names of missing fields, the offending field or expression, the uuid that exists already. */
  subtype?: string | readonly string[]
  /** `error_data`: e.g. the study that exists already. */
  data?: unknown
}

/** A business error on its way to the caller. Never tested by message: `code` is the truth. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail
  constructor(code: ErrorCode, detail: ErrorDetail = {}, options?: ErrorOptions) {
    super(`${code}: ${errors[code]}`, options)
    this.code = code
    this.detail = detail
  }
}

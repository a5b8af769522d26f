/** Most bytes of a call's body, in JSON or form; images go to the storage API. */
export const maxCallBodyBytes = 4 * 1024 * 1024
/** Most bytes of a call's body without a live session, and of a call that needs none. */
export const maxSessionlessBodyBytes = 64 * 1024
/** Most values in JSON that a caller sends, of the whole tree: 10,000 images of `study/upload/check` are 50,000. */
export const maxJsonValues = 60_000
/** Deepest nesting of JSON that a caller sends. */
export const maxJsonDepth = 64
/** Most fields of a form. */
export const maxFormFields = 10_000
/** Most items of one bundle. */
export const maxBundleItems = 1000
/** Most signs of one value that a list or search is narrowed by, and words of a name in it; no DICOM value is longer. */
export const maxFilterLength = 1024
export const maxFilterWords = 64
/** Most values of a filter that takes a list. */
export const maxFilterValues = 5000
/** Studies on a page of the inbox (LIST-02). */
export const studyPageRows = 50
/** Characters of a key under which an act is done once. */
export const idempotencyKeyLength = { least: 8, most: 200 }
/** Hours for which the answer to an act is remembered by its key. */
export const rememberedActHours = 24
/** Sessions of one user at once; the oldest is dropped (`api-facts` §1). */
export const maxSessionsPerUser = 10
/** Idle minutes before a session ends, unless the account sets fewer (`api-facts` §1). */
export const sessionIdleMinutes = 180
/** Minutes that the short token of a page lives; the page asks for the next one in time. */
export const sessionTokenMinutes = 15
/** Minutes that a derived session lives at most. */
export const derivedSessionMinutes = 240
/** Failed sign-ins before a user is locked out, and for how long. */
export const lockoutAfter = 5
export const lockoutMinutes = 15
/** Minutes that a link to reset a password works. */
export const passwordResetMinutes = 60
/** Minutes that the link of an invitation works: a week. */
export const invitationMinutes = 7 * 24 * 60
/** Longest life of a link, a year, and its life unless somebody says otherwise, a week. */
export const maxLinkMinutes = 366 * 24 * 60
/** Studies that one link shows. */
export const maxShownStudies = 50
/** Hours before their end at which holders of links are reminded, where the account sets none, and at most. */
export const linkReminderHours = 24
export const mostReminderHours = 168
export const linkMinutes = 7 * 24 * 60
/** Most times that a link may be opened, where they are counted at all. */
export const maxLinkHits = 10_000
/** Wrong passwords and codes after which a link is locked until somebody in the organisation unlocks it. */
export const linkPasswordTries = 5
/** Minutes that a code holds which is mailed to the addressee of a link. */
export const linkPinMinutes = 10
export const linkPasswordLength = { least: 6, most: 128 } as const
/** Most characters of the message of a link. */
export const maxLinkMessage = 2000
/** The last uses of a link that are listed. */
export const listedLinkUses = 20
/** Most uses, and most minutes, of a request: the specification's own bound (REQUEST-04). */
export const maxRequestNumber = 2 ** 31 - 2
/** Durations of a request that are offered, in minutes (REQUEST-06). */
export const requestMinutes = [60, 180, 720, 1440, 2880] as const
/** Most DICOM files that the door of a request takes in one body. */
export const maxTogetherByLink = 16
/** Minutes that the session of a request lasts: a disc over a slow line takes hours. */
export const uploadSessionMinutes = 24 * 60
/** Most addresses that are told of the use of a link. */
export const maxNotified = 10
/** Minutes in which a request that was cancelled can be brought back. */
export const linkUndoMinutes = 10
/** Days after its end for which a request keeps the patient and the exam that it expected. */
export const requestMemoryDays = 30
/** Megabytes (of 1024 × 1024 bytes) that a request or a share code may store where nobody says otherwise, and at most. */
export const uploadMegabytes = 20 * 1024
export const mostUploadMegabytes = 10 * 1024 * 1024
/** Bytes of a megabyte. */
export const megabyte = 1024 * 1024
/** Most studies that are announced at once by a link, and by one link at all. */
export const maxLinkStudies = 500
/** Most characters of the name that a sender gives. */
export const maxSender = 200
/** Milliseconds between two looks of an opened link whether it still shows something. */
export const linkCheckMs = 15_000
/** Milliseconds between checks of a session by a focused window (AUTH-14). */
export const sessionCheckMs = 300_000
/** Seconds that a study lock lasts unless renewed. */
export const lockSeconds = 120
/** Seconds in which a repeated sync with nothing changed is BLOCKED (`api-facts` §3, study/sync). */
export const syncRepeatSeconds = 60
/** Most characters of the message of a share. */
export const maxShareMessage = 2000
/** Most characters of the reason for rejecting a study or taking one back. */
export const maxReason = 1000
/** Longest delay of a share, 30 days, and longest time until a share ends by itself, 5 years. */
export const maxShareDelaySeconds = 30 * 24 * 3600
export const maxShareMinutes = 5 * 366 * 24 * 60
/** Most characters of the message with which an account asks another to be connected. */
export const maxConnectionMessage = 500
/** The last sendings of a study that are tracked. */
export const trackedSends = 100
/** Most e-mail addresses that one study is sent to by one call. */
export const maxSentAddresses = 20
/** Days in which a delayed share that was not delivered is still listed. */
export const failedShareDays = 7
/** Days in which a deleted study can be restored. */
export const restoreDays = 30
/** Associations that may be open to one destination at once. */
export const maxDestinationAssociations = 16
/** Most studies that a search at a destination gives. */
export const maxFoundStudies = 500
/** Items of a destination's worklist that one search gives. */
export const maxFoundOrders = 1000

/** Characters of the reason for moving images to another study. */
export const maxSplitReason = 500

/** Minutes in which a separation or a merge can be undone before rules of routing look at the exam that has the images. */
export const rulesAfterSeparationMinutes = 15

/** Characters that name the recipient of copies without names. */
export const maxNamelessRecipient = 200

/** Descriptions that may leave with a copy without names. */
export const maxNamelessTexts = 500

/** Most studies of one archive. */
export const mostInArchive = 100

/** Most lines of a report that is made as a file; what has more is narrowed by filters. */
export const maxReportLines = 50_000
/** How long a report lies ready, and how long after it was fetched (`api-facts` §2, report/zip). */
export const reportHours = 4
export const fetchedReportMinutes = 10
/** Most reports of a person that lie ready, and most that a person makes in an hour. */
export const reportsOfPerson = 10
export const reportsInHour = 60

/** Days for which it is shown that a mail left. */
export const mailHistoryDays = 90

/**
 * Every event of the log at warn and above: its level, and what an operator does about the line. A line of the log names
 * its event; `docs/log.md` is made of these tables. Names stay as they are: alarms of hospitals are set on them.
 */
export const alarms = {
  'answer broken off': {
    level: 'error',
    advice:
      'The answer to one request ended early. Let the caller ask again; if it comes back, run hilum verify and report the line.',
  },
  'bundle item failed': {
    level: 'error',
    advice: 'One call inside a bundle met a fault of the server. Report the line with the version of Hilum.',
  },
  'certificate ends': {
    level: 'either',
    advice: 'Replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY; they are read by themselves.',
  },
  'certificate not read': {
    level: 'error',
    advice:
      'The certificate before goes on being shown. Look at the files of HILUM_TLS_CERT, HILUM_TLS_KEY and HILUM_DICOM_TLS_CA: a key must belong to its certificate.',
  },
  'certificate read again': { level: 'warn', advice: 'Nothing to do: the renewed certificate is shown from now on.' },
  'channel failed': {
    level: 'error',
    advice:
      'The live connection of one browser met a fault of the server; the page goes on by asking. Report the line if it comes back.',
  },
  'channel message failed': {
    level: 'error',
    advice:
      'One message of a live connection met a fault of the server; the page goes on by asking. Report the line if it comes back.',
  },
  'clock not synchronised': {
    level: 'warn',
    advice: 'Let the system keep its time: systemd-timesyncd, chrony or ntpd, with a server that it reaches.',
  },
  'clocks differ': {
    level: 'error',
    advice:
      'Set the clocks of this machine and of the database’s right: times on record and ends of sessions hang on both.',
  },
  'database connection lost': {
    level: 'warn',
    advice: 'Nothing to do for one: another is opened. Many of them: look at the database and at the network to it.',
  },
  'database ended': {
    level: 'error',
    advice:
      'The embedded database ended and is started again by itself; nothing that was stored is lost. If it comes back, look at memory (the kernel’s OOM lines) and at the disk.',
  },
  'database is started anew': {
    level: 'error',
    advice: 'Nothing to do: the embedded database took no connections and is started again; what was stored stays.',
  },
  'database not started': {
    level: 'error',
    advice:
      'The embedded database could not be started and is tried again. Look at the room on the disk of HILUM_DATA, and whether another program runs on the folder.',
  },
  'database started again': { level: 'warn', advice: 'Nothing to do: the embedded database runs again.' },
  'database takes new connections again': { level: 'warn', advice: 'Nothing to do: the database can be reached.' },
  'database takes no new connections': {
    level: 'error',
    advice:
      'Nothing that was stored is lost. An embedded database that was told to stop, lost its socket or hangs is started anew; a database of your own is for you to look at.',
  },
  'departure not noted': {
    level: 'error',
    advice:
      'Nothing to do for one: images that a peer fetches go on, and pushes of the exam under another patient wait a minute too long, or are no longer held back. Many of them: look at the database.',
  },
  'dicom association': {
    level: 'warn',
    advice:
      'A sender was refused or cut off. Look at reason, titles and address: hilum dicom reports tells more, and hilum dicom set lets a sender in.',
  },
  'dicom association failed': {
    level: 'error',
    advice: 'An association met a fault of the server; the sender was told and tries again. Report the line.',
  },
  'dicom association not reported': {
    level: 'error',
    advice: 'Images are stored; only the report of this association is missing. Look at the database.',
  },
  'dicom listener failed': {
    level: 'error',
    advice:
      'Look at limits of open files (LimitNOFILE) and at the network; restart Hilum if senders cannot connect any more.',
  },
  'dicom object not stored': {
    level: 'error',
    advice:
      'The sender was told and keeps the image. Look at disk and database; if both are well, report the line with the version of Hilum.',
  },
  'dicom query failed': {
    level: 'error',
    advice: 'The query was answered with a failure. If it comes back, report the line.',
  },
  'dicomweb request failed': {
    level: 'error',
    advice: 'The caller was answered 500 with this request number. Report the line.',
  },
  'disk space': {
    level: 'either',
    advice: 'Make room on the disks of HILUM_DATA, or give them more. Uploads go on by themselves.',
  },
  'doorbell failed': {
    level: 'warn',
    advice: 'Nothing to do for one: pages hear of changes some seconds later. Many of them: look at the database.',
  },
  'end of work not kept': {
    level: 'error',
    advice:
      'The work was done or will be done again by another process after half a minute. Look at the database if it comes back.',
  },
  'event feed connection lost': {
    level: 'warn',
    advice:
      'Nothing to do for one: the connection is made again, pages hear of changes later. Many: look at the database.',
  },
  'event feed read failed': {
    level: 'warn',
    advice: 'Nothing to do for one: it is read again. Many of them: look at the database.',
  },
  'full viewer not available': {
    level: 'warn',
    advice:
      'The quick viewer works. The full one is fetched at the next start with a registry, and lies in every release.',
  },
  'header not described': {
    level: 'warn',
    advice:
      'An image’s attributes are too large or take too long to read; the image itself is stored. Nothing to do for one.',
  },
  'hl7 connection cut off': {
    level: 'warn',
    advice: 'The order system broke the protocol or was silent too long; see reason. Look at its settings of MLLP.',
  },
  'hl7 connection refused': {
    level: 'warn',
    advice: 'Too many connections are open: let the order system keep one, or end those that hang.',
  },
  'hl7 listener failed': {
    level: 'error',
    advice: 'Look at limits of open files (LimitNOFILE) and at the network; restart Hilum if orders do not arrive.',
  },
  'job failed': {
    level: 'error',
    advice:
      'Work by the clock is tried again at its next time; other work is tried some times and then stands under What is stuck, with Try again. err says why.',
  },
  'job interrupted': {
    level: 'warn',
    advice:
      'A process ended while it did this work; the work is done again. If it comes back, find out why the process ends.',
  },
  'library warning': {
    level: 'either',
    advice: 'A library that Hilum is built on told this. Report the line if something fails at the same time.',
  },
  'listener failed': {
    level: 'error',
    advice: 'Look at limits of open files (LimitNOFILE) and at the network; restart Hilum if pages do not open.',
  },
  'mail not sent': {
    level: 'warn',
    advice: 'It is tried again. Administration, Mail shows the reason and tries the mail server.',
  },
  'metrics without the database': {
    level: 'warn',
    advice: 'Look at the database; the figures that it holds are missing from /metrics.',
  },
  'objects cannot be stored': {
    level: 'error',
    advice: 'Give the user of the server the right to write into HILUM_DATA/objects; look at the mount.',
  },
  'order message failed': {
    level: 'error',
    advice: 'The order system was answered AE and sends the message again. Report the line if it comes back.',
  },
  'order message not put on record': {
    level: 'error',
    advice: 'The message was answered; only its line in the record is missing. Look at the database.',
  },
  'order message refused': {
    level: 'warn',
    advice: 'The page of the group names who may send orders: add the address if the sender is yours.',
  },
  'periodic work failed': {
    level: 'error',
    advice: 'It is done again at its next turn, within seconds. If it goes on, look at the database and the disk.',
  },
  'progress of a job not handed on': {
    level: 'warn',
    advice:
      'Nothing to do for one: pages at other processes hear of the next progress. Many of them: look at the database.',
  },
  'push not noted': {
    level: 'error',
    advice: 'How far an exam has been sent is not shown; sending goes on. Look at the database.',
  },
  'refusals not looked at': {
    level: 'warn',
    advice:
      'So many requests were refused that not all are on record: see who asks (Administration, Refused access), and close the way in.',
  },
  'refusals not put on record': {
    level: 'warn',
    advice: 'Look at the database: requests that were refused are missing from the record.',
  },
  'refused sender not put on record': {
    level: 'error',
    advice: 'The sender was refused; only its line in the record is missing. Look at the database.',
  },
  'request failed': {
    level: 'error',
    advice: 'The caller was answered 500 with this request number. Report the line.',
  },
  'request met no database': {
    level: 'warn',
    advice: 'The caller was told to come back. See database takes no new connections; look at the database.',
  },
  'retrieval not noted': {
    level: 'error',
    advice: 'How far an exam has been fetched is not shown; fetching goes on. Look at the database.',
  },
  'rights not looked at': {
    level: 'warn',
    advice:
      'Open downloads and pages were not held against new rights; it is done again within the minute. Look at the database.',
  },
  'room kept aside given up': { level: 'error', advice: 'Make room on the disk: the database has hardly any.' },
  'state of a job not kept': {
    level: 'error',
    advice: 'A job’s progress is not shown; the job goes on. Look at the database.',
  },
  'storage request failed': {
    level: 'error',
    advice:
      'The caller was answered 500 with this request number. Look at the disk and the mount of HILUM_DATA/objects.',
  },
  'store failed': { level: 'error', advice: 'Look at the disk and the mount of HILUM_DATA/objects.' },
  'storing an instance failed': {
    level: 'error',
    advice: 'The sender was told and keeps the image. Look at disk and database; report the line if both are well.',
  },
  'study_field_flags not readable': {
    level: 'warn',
    advice: 'Fields of studies are hidden from everybody of this place until namespace/settings sets the flags anew.',
  },
  'systemd not told': {
    level: 'error',
    advice:
      'The unit says Type=notify: systemd-notify (package systemd) must be on PATH and the unit must say NotifyAccess=all.',
  },
  'two-factor secret not readable': {
    level: 'error',
    advice:
      'installation.key of the data folder is not the one that this secret was written with: bring the right one back, or hilum users reset-two-factor.',
  },
  'uploads refused': {
    level: 'error',
    advice: 'reason says why: make room on the disk, or look at the store and the database. Senders try again.',
  },
  'work not looked for': {
    level: 'error',
    advice: 'This process finds no work until the database answers again. Look at the database.',
  },
} as const satisfies Record<string, { level: 'warn' | 'error' | 'either'; advice: string }>

/** Every event below warn: what the line tells. */
export const notes = {
  'audit sealed': 'What was newly put on record is sealed, with the digest of the seal.',
  'caches swept': 'Files of the cache that were not used for longest went, to keep within HILUM_CACHE_GB.',
  'channel socket failed': 'A browser’s live connection ended in the middle.',
  'event feed cannot connect': 'The connection for notices is tried again.',
  'job not told': 'A page was not told of its job, and asks.',
  library: 'A line of a library that Hilum is built on.',
  'orphans swept': 'Objects that nothing refers to any more were removed.',
  purged: 'What was deleted longer ago than it is kept was removed for good.',
  request: 'A request was answered: its route, status and time.',
} as const satisfies Record<string, string>

type AlarmEvent = keyof typeof alarms
export type NoteEvent = keyof typeof notes
/** The events whose lines may be written at this level. */
export type AlarmAt<Level extends 'warn' | 'error'> = {
  [Event in AlarmEvent]: (typeof alarms)[Event]['level'] extends Level | 'either' ? Event : never
}[AlarmEvent]

/** Advice to the operator for lines of this event; undefined for an event below warn. */
export function adviceOn(event: unknown): string | undefined {
  return typeof event === 'string' && Object.hasOwn(alarms, event) ? alarms[event as AlarmEvent].advice : undefined
}

/** Texts of the page that shows what is stuck: each fact, and an advice. */
export const stuck = {
  'stuck.lead':
    'Facts and jobs that need somebody, gravest first. The page follows by itself; jobs that were given up stay for a month.',
  'stuck.nothing': 'Nothing is stuck.',
  'stuck.checked': 'Disk, certificate, database, audit seals, work by the clock, mails, pushes and jobs are in order.',
  'stuck.facts': 'To see to',
  'stuck.factsFailed': 'The state of the installation could not be loaded.',
  'stuck.jobs': 'Stuck jobs',
  'stuck.otherJobs': 'Other jobs',
  'stuck.since': 'Since {ago} ({stamp})',
  'stuck.lastFailed': 'Last failed {ago} ({stamp})',
  'stuck.first': 'The first {ago} ({stamp})',
  'stuck.DATABASE_REFUSES': 'The database takes no new connections',
  'stuck.do.DATABASE_REFUSES':
    'Look at the log of the server and at the database. Connections that are open go on; an embedded database is started anew by itself.',
  'stuck.OBJECTS_NOT_WRITABLE': 'The server may not write into its folder of images',
  'stuck.do.OBJECTS_NOT_WRITABLE':
    'Uploads are refused. Give the server’s user the right to write; the log says why it fails.',
  'stuck.DISK_FULL': 'The disk is full: {free} of {total} are free',
  'stuck.do.DISK_FULL': 'Uploads are refused. Make room on the disk; uploads go on by themselves then.',
  'stuck.DISK_VERY_LOW': 'The disk is nearly full: {free} of {total} are free',
  'stuck.do.DISK_VERY_LOW': 'Make room now; uploads are refused when less is left.',
  'stuck.DISK_LOW': 'The disk is filling up: {free} of {total} are free',
  'stuck.do.DISK_LOW': 'Plan for more room.',
  'stuck.CERTIFICATE_OVER': 'The certificate of the server is over',
  'stuck.do.CERTIFICATE_OVER':
    'Browsers and senders refuse the connection. Replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY; no restart is needed.',
  'stuck.CERTIFICATE_ENDS_NOW': 'The certificate of the server ends on {ends}',
  'stuck.do.CERTIFICATE_ENDS_NOW':
    'Renew it now: replace the files of HILUM_TLS_CERT and HILUM_TLS_KEY; no restart is needed.',
  'stuck.CERTIFICATE_ENDS': 'The certificate of the server ends on {ends}',
  'stuck.do.CERTIFICATE_ENDS':
    'Plan to renew it: the files of HILUM_TLS_CERT and HILUM_TLS_KEY are replaced without a restart.',
  'stuck.CLOCKS_DIFFER_one': 'The clocks of server and database differ by {count} second',
  'stuck.CLOCKS_DIFFER_other': 'The clocks of server and database differ by {count} seconds',
  'stuck.do.CLOCKS_DIFFER':
    'Let both machines keep their time by a time server: times on record and ends of sessions hang on both.',
  'stuck.WORK_NOT_TAKEN_one': '{count} job by the clock waits though it is due',
  'stuck.WORK_NOT_TAKEN_other': '{count} jobs by the clock wait though they are due',
  'stuck.do.WORK_NOT_TAKEN':
    'See whether a process with the role “worker” runs (HILUM_ROLES). Without one no job runs and no mail is sent.',
  'stuck.AUDIT_NOT_SEALED': 'The audit record is not sealed',
  'stuck.do.AUDIT_NOT_SEALED':
    'Entries are sealed each minute. The log of the server says why “seal-audit” does not run well.',
  'stuck.CLOCK_WORK_FAILED': 'Work by the clock failed: {name}',
  'stuck.do.CLOCK_WORK_FAILED':
    'The server tries again by itself at the next time. The log of the server says why it failed.',
  'stuck.retry': 'Try again: {name}',
  'stuck.retried': 'It begins within seconds. The line goes once the work has run well.',
  'stuck.MAILS_NOT_SENT_one': '{count} mail could not be sent',
  'stuck.MAILS_NOT_SENT_other': '{count} mails could not be sent',
  'stuck.do.MAILS_NOT_SENT':
    'Administration, Mail outbox shows the reasons and tries the mail server. Mails that wait go by themselves once it takes them; those that were given up do not, and are told of for a week.',
  'stuck.DESTINATION_SILENT': '{name} does not answer',
  'stuck.do.DESTINATION_SILENT':
    'Administration, Destinations says why, and tests each step. Exams wait meanwhile, and are sent again for some hours.',
  'stuck.DESTINATION_CERTIFICATE_OVER': 'The certificate entered for {name} is over',
  'stuck.do.DESTINATION_CERTIFICATE_OVER':
    'The connection is refused. Enter the certificate that the node shows now: Administration, Destinations, Edit.',
  'stuck.DESTINATION_CERTIFICATE_ENDS': 'The certificate entered for {name} ends on {ends}',
  'stuck.do.DESTINATION_CERTIFICATE_ENDS':
    'Ask those who run the node for its next certificate, and enter it under Administration, Destinations, Edit. Several can stand there together.',
  'stuck.PUSHES_FAILED_one': '{count} exam could not be sent to {name}',
  'stuck.PUSHES_FAILED_other': '{count} exams could not be sent to {name}',
  'stuck.do.PUSHES_FAILED':
    'Administration, Destinations tests the connection. Then try the jobs below again, or send the exams again from the view “Failed” of their group.',
  'stuck.WEBHOOK_FAILS': 'The webhook {name} fails',
  'stuck.do.WEBHOOK_FAILS':
    'Administration, Webhooks says why each call failed, and tests the address. Switch it off there if it is not needed any more.',
  'stuck.RULE_FAILS_one': 'The routing rule {name} of {place} failed on {count} exam',
  'stuck.RULE_FAILS_other': 'The routing rule {name} of {place} failed on {count} exams',
  'stuck.do.RULE_FAILS':
    'Administration, Routing rules says why under “Runs”. Change what the rule acts on, then run it again: what was done is not done twice.',
  'stuck.dismiss': 'Dismiss: {name}',
  'stuck.dismissRule': 'Dismiss: {name} of {place}',
  'stuck.dismissHint': 'The exams stay in the view “Failed”; that they were dismissed is on record.',
  'stuck.dismissRuleHint':
    'Dismissed runs stay under “Runs”, where each can be run again; that they were dismissed is on record.',
  'stuck.runsAgain': 'Run again …',
  'stuck.runsAgainOf': 'Run again: {name} of {place}',
  'stuck.runsAgainNow': 'Run again',
  'stuck.runsAgainAsk': 'Run the rule “{name}” again?',
  'stuck.runsAgainText_one':
    'The rule does what is left to do on the exam on which it failed, if its conditions are met now. What it sends leaves at once, or after the delay of the rule.',
  'stuck.runsAgainText_other':
    'The rule does what is left to do on the {count} exams on which it failed, where its conditions are met now. What it sends leaves at once, or after the delay of the rule.',
  'stuck.runsAgainDone_one': '{name} runs again on {count} exam.',
  'stuck.runsAgainDone_other': '{name} runs again on {count} exams.',
  'stuck.runsNotAgain_one':
    'On {count} exam it does not: the rule is switched off, not for its place, outside its hours, or its conditions are not met.',
  'stuck.runsNotAgain_other':
    'On {count} exams it does not: the rule is switched off, not for their places, outside its hours, or its conditions are not met.',
  'stuck.runsLeft_one': '{count} more exam was not looked at yet: choose Run again once more for it.',
  'stuck.runsLeft_other': '{count} more exams were not looked at yet: choose Run again once more for them.',
  'stuck.runsAgainFailed': 'The rule could not be run again on all exams. The page shows how it stands now.',
  'stuck.actFailed': 'That could not be done: somebody may have been quicker. The page shows how it stands now.',
} as const

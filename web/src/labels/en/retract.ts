export const retract = {
  'retract.item': 'Take back everywhere',
  'retract.title': 'Take this exam back everywhere?',
  'retract.text':
    'It is hidden here and from everybody who has it: shared, passed on, copied or opened by a link. Copies without names that were made of it, here or by others, go with it, everywhere they went. People are told. The images stay, and you can show it again.',
  'retract.reason': 'Reason',
  'retract.reasonHint': 'It stands in the history, and is shown to whoever uploads the exam again.',
  'retract.done_one': 'The exam was taken back here and from {count} other place.',
  'retract.done_other': 'The exam was taken back here and from {count} other places.',
  'retract.failed': 'The exam could not be taken back.',
  'retract.notice': 'An exam that you had was taken back by its owner.',
} as const

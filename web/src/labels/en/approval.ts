export const approval = {
  'approval.waits_one': 'This exam waits for approval. Until then only those who may approve see it.',
  'approval.waits_other': 'These {count} exams wait for approval. Until then only those who may approve see them.',
  'approval.waitsBeside_one': 'More images of this exam wait for approval. They are shown to nobody until then.',
  'approval.waitsBeside_other': 'More of these {count} exams waits for approval.',
  'approval.approve': 'Approve',
  'approval.reject': 'Reject',
  'approval.approved_one': '{count} exam was approved.',
  'approval.approved_other': '{count} exams were approved.',
  'approval.rejected_one': '{count} exam was rejected.',
  'approval.rejected_other': '{count} exams were rejected.',
  'approval.rejectTitle_one': 'Reject this exam?',
  'approval.rejectTitle_other': 'Reject these {count} exams?',
  'approval.rejectText':
    'Whatever was shared is gone from here, and its sender is told why. What was uploaded here goes into the bin.',
  'approval.reason': 'Reason',
  'approval.reasonHint': 'The sender reads it.',
  'approval.reason.approved': 'Nothing waits any more: somebody else decided.',
} as const

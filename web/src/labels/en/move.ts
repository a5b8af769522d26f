/** Texts of moving exams to another group. */
export const move = {
  'move.item': 'Move to another group …',
  'move.button': 'Move …',
  'move.title_one': 'Move this exam to another group',
  'move.title_other': 'Move {count} exams to another group',
  'move.group': 'Group',
  'move.text_one':
    'The group gets the exam with its images, corrections and attached files, and it is deleted here. Tags, stars, work status and links stay behind.',
  'move.text_other':
    'The group gets all {count} with their images, corrections and attached files, and they are deleted here. Tags, stars, work status and links stay behind.',
  'move.undoText_one': 'Undo brings the exam back at once. It can be restored here for {days} days.',
  'move.undoText_other': 'Undo brings all {count} back at once. They can be restored here for {days} days.',
  'move.stays': 'These stay here:',
  'move.stays.arriving': 'Images are still missing.',
  'move.stays.nominated': 'A gatekeeper group has not decided on its nomination yet.',
  'move.stays.decided': 'It came by a nomination, which is decided on here.',
  'move.stays.nameless': 'A copy without names stays with its key.',
  'move.go_one': 'Move exam',
  'move.go_other': 'Move {count} exams',
  'move.notDone': 'Nothing was moved.',
  'move.done_one': '{count} exam was moved to {group}',
  'move.done_other': '{count} exams were moved to {group}',
  'move.failed_one': '{count} exam was not moved',
  'move.failed_other': '{count} exams were not moved',
  'move.both_one': '{count} exam is now in {group}, and still here',
  'move.both_other': '{count} exams are now in {group}, and still here',
  'move.both.approval': 'It waits for approval there. Delete it here once it is approved.',
  'move.both.unknown': 'It is not known whether it has arrived there. Look there, then delete it here.',
  'move.stands.later':
    'It is to be shared with the group later. Cancel that under Share, or wait until the group has it, then move it.',
  'move.stands.approval': 'It waits for approval there. Move it once it is approved.',
  'move.stands.end':
    'It is shared with the group for a limited time. Stop sharing it under Share first, or have it shared without an end, then move it.',
  'move.both.end': 'Somebody shared it with the group for a limited time. Ask them to leave it there for good.',
} as const

import type { Nomination } from '@hilum/contract/entities/study'

/** A nomination that waits: name what matters, the rest is quiet. */
export function makeNomination(given: Partial<Nomination> = {}): Nomination {
  return {
    side: 'source',
    state: 'nominated',
    group_uuid: 'g1',
    group_name: 'Gateway',
    from_name: 'Emergency',
    submitted_at: '2026-03-01 10:00:00.000000+00',
    submitted_by_name: 'Ada Clinician',
    answers: {},
    deleted_questions: [],
    reason: '',
    reason_code: '',
    message: '',
    decided_by_name: '',
    destination_uuid: null,
    destination_name: '',
    status_reason: '',
    commitment: null,
    commitment_reason: '',
    late_image_count: 0,
    is_corrected: 0,
    asked: null,
    updated: '2026-03-01 10:00:00.000000+00',
    ...given,
  }
}

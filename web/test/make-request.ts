import type { Link } from '@hilum/contract/calls/link'

/** A request by which a study of somebody else than the expected patient came; name what matters. */
export function makeRequest(given: Partial<Link> = {}): Link {
  return {
    uuid: 'l1',
    url: 'https://hilum.example/link/AAAAAAAAAAAAAAAAAAAAAA',
    action: 'STUDY_UPLOAD',
    study_id: '',
    study_count: 0,
    account_id: 'a1',
    namespace_id: 'ns',
    namespace_name: 'Emergency',
    message: 'MRI of the knee',
    description: 'MRI of the knee',
    email: 'clinic@outside.example',
    mail: null,
    reminded_at: null,
    notify: '',
    has_password: 1,
    pin_auth: 0,
    password_is_dob: 0,
    max_hits: 3,
    minutes_alive: 1440,
    created: '2026-03-04 10:00:00.000000+00',
    created_by_name: 'Mei Tanaka',
    expires_at: '2026-03-05 10:00:00.000000+00',
    state: 'open',
    hits: 1,
    download: 0,
    uses: [],
    expected: { patient_name: 'Doe^Jane', patient_birth_date: '19800101', patient_sex: 'F', patientid: '' },
    sender: 'Outside Clinic',
    arrivals: [
      {
        study_id: 's1',
        image_count: 2,
        expected_count: 2,
        ended_at: '2026-03-04 11:00:00.000000+00',
        verdict: 'different',
        differences: ['name-different'],
      },
    ],
    ...given,
  }
}

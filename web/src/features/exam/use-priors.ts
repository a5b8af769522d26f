import type { RelatedStudy } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback } from 'react'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { relatedStudiesQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { priorAddress } from './viewer-frame.ts'

/**
 * Answers the viewer that asks for the patient's other exams: which there are, with a sid for the full viewer's list,
 * and where one of them is shown.
 */
export function usePriors(study: Study, frame: RefObject<HTMLIFrameElement | null>, scheme: 'light' | 'dark') {
  const client = useQueryClient()
  const { dateFormat } = usePreferences()
  const listPriors = useCallback(async () => {
    const { related } = await client.ensureQueryData(relatedStudiesQuery(study))
    return related.filter(({ study: prior }) => (prior.image_count ?? 0) > 0)
  }, [client, study])
  const tell = useCallback(
    (message: object) => frame.current?.contentWindow?.postMessage(JSON.stringify(message), location.origin),
    [frame],
  )
  const tellPriors = useCallback(async () => {
    // without an answer there is nothing to compare with, and the viewer goes on
    const found = await listPriors().catch(() => [])
    if (found.length === 0) return
    const here = found.filter(
      ({ study: prior, verdict }) => verdict === 'same' && prior.phi_namespace === study.phi_namespace,
    )
    const sid =
      here.length === 0
        ? undefined
        : await deriveSid([study.uuid, ...here.flatMap(({ study: { uuid } }) => uuid ?? [])]).catch(() => undefined)
    tell({ priors: found.map((one) => ({ uuid: one.study.uuid, label: labelOf(one, dateFormat) })), sid })
  }, [dateFormat, listPriors, study, tell])
  const openPrior = useCallback(
    async (uuid: string | undefined) => {
      const prior = (await listPriors().catch(() => [])).find((one) => one.study.uuid === uuid)?.study
      const sid = prior?.uuid && (await deriveSid([prior.uuid]).catch(() => undefined))
      const { storage_namespace, study_uid, phi_namespace } = prior ?? {}
      const isWhole = sid && storage_namespace && study_uid && phi_namespace
      const address = isWhole
        ? priorAddress({ storage_namespace, study_uid, phi_namespace }, sid, { scheme, dateFormat })
        : undefined
      tell({ prior: { uuid, address } })
    },
    [dateFormat, listPriors, scheme, tell],
  )
  return { tellPriors, openPrior }
}

function labelOf({ study, verdict }: RelatedStudy, dateFormat: DateFormat): string {
  const facts = [
    formatDate(study.study_date, dateFormat),
    study.modality?.replaceAll('\\', '/'),
    study.study_description,
    verdict === 'same' ? '' : t('identity.verdict.likely'),
  ]
  return facts.filter(Boolean).join('  ·  ')
}

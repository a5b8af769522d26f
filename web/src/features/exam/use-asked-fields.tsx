import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { AskedFields, answersTo, focusField } from '../../fields/asked-fields.tsx'
import { findFault } from '../../fields/custom-field-fault.ts'
import { t } from '../../labels/label.ts'
import { shareCodeQuery } from '../../queries/share-code.ts'
import type { SendFormState } from './send-options.ts'

interface AskedForm {
  /** The place of the code, and the fields that it asks for; nothing before the code was looked up. */
  fields: ReactNode
  answers: Record<string, string>
  isLooking: boolean
  /** Looks a new code up. False where something is to be filled in first. */
  demand: () => Promise<boolean>
}

/**
 * The custom fields that the receiver of a share code asks for. A code is looked up when it is to be sent to, and not while
 * it is typed: each look counts as one of those by which codes could be found.
 * @param element the form
 */
export function useAskedFields(form: SendFormState, element: RefObject<HTMLFormElement | null>): AskedForm {
  const client = useQueryClient()
  const [looked, setLooked] = useState('')
  const [isLooking, setIsLooking] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const isWanted = useRef(false)
  const code = form.method === 'code' ? form.code.trim() : ''
  const isLooked = code !== '' && code === looked
  const { data: place } = useQuery({
    ...shareCodeQuery(looked),
    enabled: isLooked,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const fields = isLooked && place ? place.customfields : []
  const [first] = fields
  useEffect(() => {
    if (!isWanted.current || !first) return
    isWanted.current = false
    focusField(element.current, first)
  })
  const demand = async () => {
    if (code === '') return true
    if (isLooked) {
      setIsAsked(true)
      const lacking = fields.find((one) => findFault(one, typed[one.uuid] ?? ''))
      if (lacking) focusField(element.current, lacking)
      return lacking === undefined
    }
    setIsLooking(true)
    // of a code that is none, or a server that is away, the sending tells
    const found = await client.fetchQuery(shareCodeQuery(code)).catch(() => undefined)
    setIsLooking(false)
    setIsAsked(false)
    setLooked(code)
    isWanted.current = true
    return (found?.customfields ?? []).length === 0
  }
  return {
    fields: first && place && (
      <AskedFields
        fields={fields}
        legend={t('send.codeAsks', { place: place.share_name, organisation: place.account_name })}
        answers={typed}
        isAsked={isAsked}
        onChange={setTyped}
      />
    ),
    answers: answersTo(fields, typed),
    isLooking,
    demand,
  }
}

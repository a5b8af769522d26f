import { Banner } from './banner.tsx'

/** A mark to look at, and its reasons one by one; nothing without a reason. */
export function MarkedList({ title, reasons }: { title: string; reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <Banner tone="priority">
      <b>{title}</b>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Banner>
  )
}

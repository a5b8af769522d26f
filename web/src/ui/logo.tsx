/** The mark: one root that branches into three, as vessels do at a hilum. Decoration; name the thing it stands in. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect x="1" y="1" width="22" height="22" rx="5.5" fill="#4ba6c4" />
      <g fill="none" stroke="#06222d" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2">
        <path d="M5 12h3.5C13 12 12 6.2 18 6.2" />
        <path d="M8.5 12c4.5 0 3.5 5.8 9.5 5.8" />
        <path d="M8.5 12h10" />
      </g>
    </svg>
  )
}

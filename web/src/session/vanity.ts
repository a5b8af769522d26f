/** The provider that an address names, from which the sign-in began at another name of the host. */
export function askedProvider({ search }: Pick<Location, 'search'>): string {
  return new URLSearchParams(search).get('provider') ?? ''
}

/**
 * The organisation that an address names (AUTH-01): `?vanity=` wins, else the host itself, which an account may list
 * as its own. Plain hosts of a first try name none.
 */
export function vanityOf({ hostname, search }: Pick<Location, 'hostname' | 'search'>): string | undefined {
  const asked = new URLSearchParams(search).get('vanity')?.trim()
  if (asked) return asked
  const namesNobody = hostname === 'localhost' || /^[\d.]+$/.test(hostname) || hostname.includes(':')
  return namesNobody || !hostname.includes('.') ? undefined : hostname
}

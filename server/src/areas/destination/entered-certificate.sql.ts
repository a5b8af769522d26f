import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface CertifiedDestination {
  uuid: string
  name: string
  tls_certificate: string
}

/** Destinations of an account whose certificates (PEM) were entered for TLS, by name. */
export async function listEnteredCertificates(db: Db, accountUuid: string): Promise<CertifiedDestination[]> {
  const { rows } = await sql<CertifiedDestination>`
    select d.uuid, d.name, coalesce(d.tls_certificate, '') as tls_certificate
    from destination d
    where d.account_uuid = ${accountUuid} and d.deleted_at is null and d.uses_tls and d.tls_certificate <> ''
    order by d.name, d.uuid
  `.execute(db)
  return rows
}

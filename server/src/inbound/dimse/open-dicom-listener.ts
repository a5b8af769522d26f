import { once } from 'node:events'
import type { Server } from 'node:net'
import { Server as TlsServer, type TlsOptions } from 'node:tls'
import {
  type AssociationListener,
  createAssociationListener,
  defaultListenerLimits,
  type ListenerLimits,
} from '@hilum/dicom/dimse/listener'
import type { Services } from '../../services.ts'
import { tlsOptions } from '../../certificate.ts'
import type { CertificateBearer } from '../../renew-certificate.ts'
import { openPort } from '../http/open-port.ts'
import { serveAssociation } from './serve-association.ts'

export interface DicomListeners extends CertificateBearer {
  port: number
  /** Undefined when the settings name none. */
  tlsPort: number | undefined
  /** Ends all associations; what was not acknowledged by then is the sender's to repeat. */
  close: () => Promise<void>
}

/**
 * Opens the DICOM listener, and the one with TLS when the settings name its port.
 * @throws ListenError when one cannot be opened, naming its setting
 */
export async function openDicomListener(
  services: Services,
  limits: ListenerLimits = defaultListenerLimits,
): Promise<DicomListeners> {
  const { host, port, tlsPort } = services.config.dicom
  const open: AssociationListener[] = []
  const close = async () => {
    await Promise.all(open.map((listener) => listener.close()))
  }
  const readTls = () => tlsOptions(services.config, 'HILUM_DICOM_TLS_CA', services.config.dicom.tlsAuthoritiesFile)
  const renewCertificate = async () => {
    for (const { server } of open) if (server instanceof TlsServer) server.setSecureContext(await readTls())
  }
  const listen = async (place: {
    port: number
    setting: 'HILUM_DICOM_PORT' | 'HILUM_DICOM_TLS_PORT'
    tls?: TlsOptions
  }) => {
    const handle = { limits, tls: place.tls }
    const listener = createAssociationListener(
      (connection) => serveAssociation(services, connection, place.tls !== undefined),
      handle,
    )
    const at = { host, port: place.port }
    await openPort(at, { host: 'HILUM_DICOM_HOST', port: place.setting }, () => listening(listener.server, at))
    open.push(listener)
    listener.server.on('error', (error) => services.log.error({ event: 'dicom listener failed', err: error }))
    const bound = listener.server.address()
    return typeof bound === 'object' && bound ? bound.port : place.port
  }
  try {
    const plain = await listen({ port, setting: 'HILUM_DICOM_PORT' })
    if (tlsPort === undefined) return { port: plain, tlsPort, renewCertificate, close }
    const tls = await readTls()
    const secure = await listen({ port: tlsPort, setting: 'HILUM_DICOM_TLS_PORT', tls })
    return { port: plain, tlsPort: secure, renewCertificate, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  server.listen(at)
  await once(server, 'listening')
}

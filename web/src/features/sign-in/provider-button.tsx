import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { goToProvider, offerQuery } from '../../queries/identity.ts'
import { askedProvider } from '../../session/vanity.ts'
import { loginFaultLabel } from './login-faults.ts'
import style from './sign-in.module.css'

interface ProviderButtonProps {
  vanity: string | undefined
  onFault: (fault: ReturnType<typeof loginFaultLabel> | undefined) => void
}

/** The way to the login of the organisation, where the address of this page says which one. */
export function ProviderButton({ vanity, onFault }: ProviderButtonProps) {
  const { data } = useQuery(offerQuery(vanity ?? '', askedProvider(location)))
  const offer = data?.provider
  const go = useMutation({
    mutationFn: goToProvider,
    onMutate: () => onFault(undefined),
    onError: (failure) => onFault(loginFaultLabel(failure)),
  })
  if (!offer) return null
  return (
    <div className={style.other}>
      <span aria-hidden="true">{t('login.or')}</span>
      <Button
        variant="default"
        size="sm"
        fullWidth
        // the browser leaves for another page
        loading={go.isPending || go.isSuccess}
        onClick={() => go.mutate(offer)}
      >
        {t('login.byProvider', { button: offer.button })}
      </Button>
    </div>
  )
}

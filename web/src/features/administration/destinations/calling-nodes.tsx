import { nodeAdd, nodeDelete, nodeSet } from '@hilum/contract/calls/node'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import { type CallingNode, useOwnNodes } from '../../../queries/own-nodes.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { IconEdit, IconPlus, IconTrash } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { RowAct } from '../grid/row-act.tsx'
import style from '../users/users.module.css'
import { OwnNodeForm } from './own-node-form.tsx'
import own from './own-nodes.module.css'

/** The AE titles that we call others by; whoever may changes them here. */
export function CallingNodes({ nodes }: { nodes: readonly CallingNode[] }) {
  const { account } = useEstablished()
  const { remove } = useOwnNodes(account.uuid)
  const mayAdd = useMayCall(nodeAdd)
  const maySet = useMayCall(nodeSet)
  const mayDelete = useMayCall(nodeDelete)
  const [edited, setEdited] = useState<{ one: CallingNode | undefined }>()
  const [asked, setAsked] = useState<CallingNode>()
  const handleDelete = (one: CallingNode) => remove.mutate(one, { onSettled: () => setAsked(undefined) })
  return (
    <>
      <div className={own.head}>
        <h3 id="calling-nodes">{t('ownNodes.callingTitle')}</h3>
        {mayAdd && (
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setEdited({ one: undefined })}>
            {t('ownNodes.add')}
          </Button>
        )}
      </div>
      {remove.isError && <Banner tone="failed">{undeletedText(remove.error, remove.variables)}</Banner>}
      {nodes.length === 0 ? (
        <p className={style.lead}>{t('ownNodes.callingNone')}</p>
      ) : (
        <table className={table.table} aria-labelledby="calling-nodes">
          <thead>
            <tr>
              <th scope="col">{t('ownNodes.called')}</th>
              <th scope="col">{t('ownNodes.name')}</th>
              {(maySet || mayDelete) && <td />}
            </tr>
          </thead>
          <tbody>
            {nodes.map((one) => (
              <tr key={one.uuid}>
                <th scope="row">{one.aetitle}</th>
                <td>{one.name}</td>
                {(maySet || mayDelete) && (
                  <td data-acts>
                    <div className={table.acts}>
                      {maySet && (
                        <RowAct
                          label={t('ownNodes.editOne', { title: one.aetitle })}
                          icon={IconEdit}
                          onAct={() => setEdited({ one })}
                        />
                      )}
                      {mayDelete && (
                        <RowAct
                          label={t('ownNodes.deleteOne', { title: one.aetitle })}
                          icon={IconTrash}
                          onAct={() => setAsked(one)}
                        />
                      )}
                    </div>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {edited && <OwnNodeForm one={edited.one} onClose={() => setEdited(undefined)} />}
      {asked && (
        <AskDialog
          title={t('ownNodes.askTitle')}
          text={t('ownNodes.askText', { title: asked.aetitle })}
          act={t('ownNodes.delete')}
          isBusy={remove.isPending}
          onAct={() => handleDelete(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Why a node was not deleted. */
function undeletedText(failure: unknown, { aetitle: title }: CallingNode): string {
  if (!(failure instanceof ApiFailure) || failure.code !== 'HAS_DESTINATIONS') return t('ownNodes.actFailed')
  const { destinations = [] } = (failure.data ?? {}) as { destinations?: string[] } // as the call gives it
  if (destinations.length === 0) return t('ownNodes.busy', { title })
  return t('ownNodes.inUse', { title, names: destinations.join(', ') })
}

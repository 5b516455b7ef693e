// The stored logos of a page, decoded.
import { useQuery } from '@tanstack/react-query';
import type { StatusPageDetail } from '#src/status-pages/contract.ts';
import { getLogo, getLogoDark } from '#src/status-pages/logo-contract.ts';
import { callForFile } from '#web/call.ts';
import { decodeLogo } from './read-logo.ts';

/** Undefined while loading, and if there is none. */
export function useLogos({ page, has_logo, has_logo_dark }: StatusPageDetail) {
  const params = { id: page.id };
  const light = useQuery({
    queryKey: [getLogo.id, params],
    queryFn: async () => decodeLogo(await callForFile(getLogo, { params })),
    enabled: has_logo,
  });
  const dark = useQuery({
    queryKey: [getLogoDark.id, params],
    queryFn: async () => decodeLogo(await callForFile(getLogoDark, { params })),
    enabled: has_logo_dark,
  });
  return { light: has_logo ? light.data : undefined, dark: has_logo_dark ? dark.data : undefined };
}

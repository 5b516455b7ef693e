import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { TocsinLogo } from '../ui/TocsinLogo.tsx';
import styles from './GlobalFrame.module.css';
import navigation from './Navigation.module.css';
import shell from './Shell.module.css';
import { UserMenu } from './UserMenu.tsx';

type Props = {
  /** The label of the link back. */
  back: ReactNode;
  /** The label of the navigation beside the page. */
  placesLabel: string;
  places: ReactNode;
  children: ReactNode;
};

/** The layout of pages that belong to no organization, with a link back. */
export function GlobalFrame({ back, placesLabel, places, children }: Props) {
  return (
    <div className={shell.shell}>
      <section className={shell.side} aria-label="Tocsin">
        <Link to="/" className={shell.brand}>
          <TocsinLogo />
          <span className={shell.name}>Tocsin</span>
        </Link>
        <Link to="/" className={styles.back}>
          <IconArrowLeft size={17} stroke={1.7} aria-hidden="true" />
          <span>{back}</span>
        </Link>
        <PaletteButton />
        <nav className={`${navigation.nav} ${styles.places}`} aria-label={placesLabel}>
          {places}
        </nav>
        <div className={shell.foot}>
          <UserMenu />
        </div>
      </section>
      <main className={shell.main} id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

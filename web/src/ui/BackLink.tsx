import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './BackLink.module.css';

/** The way back to the list that a page belongs to, above its title. */
export const BackLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={styles.back} />);

import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './BackLink.module.css';

/** A link above the title, back to the list that a page belongs to. */
export const BackLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={styles.back} />);

'use client';
import { useEffect } from 'react';

export default function Page() {
  useEffect(() => {
    void import('./main.js');
  }, []);
  return <p>pool</p>;
}

/** The portal's pages by address; all but home arrive when they are asked for. */
import { lazy, type ReactElement, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';

import { Home } from '../../features/home/Home.tsx';
import { NotFound } from './NotFound.tsx';
import { PageLoading } from './PageLoading.tsx';
import { Shell } from './Shell.tsx';
import { Unbroken } from './Unbroken.tsx';

const LessonList = lazy(async () => ({ default: (await import('../../features/lessons/LessonList.tsx')).LessonList }));
const LessonPage = lazy(async () => ({ default: (await import('../../features/lessons/LessonPage.tsx')).LessonPage }));
const Login = lazy(async () => ({ default: (await import('../../features/account/Login.tsx')).Login }));
const Register = lazy(async () => ({ default: (await import('../../features/account/Register.tsx')).Register }));
const AdminLink = lazy(async () => ({ default: (await import('../../features/account/AdminLink.tsx')).AdminLink }));
const ProjectsPage = lazy(async () => ({ default: (await import('../../features/projects/ProjectsPage.tsx')).ProjectsPage }));
const TokensPage = lazy(async () => ({ default: (await import('../../features/tokens/TokensPage.tsx')).TokensPage }));

export function App(): ReactElement {
  const { pathname } = useLocation();
  return (
    <Shell>
      <Unbroken key={pathname}>
        <Suspense fallback={<PageLoading />}>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="/lessons" element={<LessonList />} />
            <Route path="/lessons/:lesson" element={<LessonPage />} />
            <Route path="/login" element={<Login />} />
            <Route path="/register" element={<Register />} />
            <Route path="/link" element={<AdminLink />} />
            <Route path="/projects" element={<ProjectsPage />} />
            <Route path="/tokens" element={<TokensPage />} />
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Suspense>
      </Unbroken>
    </Shell>
  );
}

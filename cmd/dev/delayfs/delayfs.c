/*
 * delayfs is a file system in memory (FUSE) whose files answer after a programmed time. On it two
 * programs that measure latency must give the same percentiles, because there is only one truth.
 *
 *     delayfs MOUNTPOINT
 *
 * It has one folder. A file in it answers at once until it is flushed for the first time (fsync), so
 * that it can be filled quickly; from then on every read and write of it takes one of three times:
 *
 *     5 in 1000   the tail     p99.9 lies here
 *     20 in 1000  the middle   p99 lies here
 *     the rest    the base     p50 lies here
 *
 * Which one is decided by a counter, not by chance, so two runs see the same mixture. The times are
 * written to the file ".delays", in microseconds: "2000 6000 12000\n". That sets the counter to 0,
 * too. Until something is written there, nothing is delayed.
 *
 * Each I/O that waits does so in a thread of its own. The times should be chosen so that the threads
 * have little to do: below 15000 I/Os and 400 MB a second.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 312
#include <errno.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
	max_io = 1 << 20,      /* bytes of one request, the most that the kernel sends */
	max_in_flight = 1024,  /* requests that the kernel may have under way */
	max_threads = 600,     /* more than the deepest row has in flight, which is 512 */
	block = 4096,
	period = 200,          /* of the counter: one tail and four of the middle */
};

/* What the file system says it can hold, in blocks: 64 GiB. Only what is written takes memory. */
static const unsigned long capacity = (64UL << 30) / block;

/* A node is a file. Its number for the kernel is its address. */
struct node {
	struct node *next;
	char *name;            /* NULL once it is removed */
	unsigned long lookups; /* how often the kernel knows it; it lives until that is 0 */
	int data;              /* memfd */
	mode_t mode;
	uid_t uid;
	gid_t gid;
	atomic_bool armed;     /* it was flushed, so from now on it is slow */
};

static struct node *nodes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of nodes, names and lookups */

static const char control_name[] = ".delays";
static const fuse_ino_t control_ino = 2;

static atomic_long base_us, middle_us, tail_us;
static atomic_ulong counter;

static struct node *node_of(fuse_ino_t ino)
{
	return (struct node *)(uintptr_t)ino;
}

/* Called with the lock held. */
static struct node *find(const char *name)
{
	for (struct node *n = nodes; n; n = n->next)
		if (n->name && strcmp(n->name, name) == 0)
			return n;
	return NULL;
}

/* Called with the lock held. */
static void free_if_unused(struct node *n)
{
	if (n->name || n->lookups)
		return;
	for (struct node **p = &nodes; *p; p = &(*p)->next)
		if (*p == n) {
			*p = n->next;
			break;
		}
	close(n->data);
	free(n);
}

static int stat_of(fuse_ino_t ino, struct stat *st)
{
	memset(st, 0, sizeof *st);
	st->st_ino = ino;
	st->st_blksize = block;
	st->st_nlink = 1;
	if (ino == FUSE_ROOT_ID) {
		st->st_mode = S_IFDIR | 0777;
		st->st_nlink = 2;
		return 0;
	}
	if (ino == control_ino) {
		st->st_mode = S_IFREG | 0666;
		return 0;
	}
	struct node *n = node_of(ino);
	struct stat data;
	if (fstat(n->data, &data))
		return errno;
	st->st_mode = n->mode;
	st->st_nlink = n->name ? 1 : 0;
	st->st_uid = n->uid;
	st->st_gid = n->gid;
	st->st_size = data.st_size;
	st->st_blocks = data.st_blocks;
	st->st_mtim = data.st_mtim;
	st->st_ctim = data.st_ctim;
	return 0;
}

static int entry_of(fuse_ino_t ino, struct fuse_entry_param *e)
{
	memset(e, 0, sizeof *e);
	e->ino = ino;
	return stat_of(ino, &e->attr);
}

static void do_init(void *user, struct fuse_conn_info *c)
{
	(void)user;
	c->max_background = c->congestion_threshold = max_in_flight;
	c->max_read = c->max_write = max_io;
	if (c->capable & FUSE_CAP_ASYNC_DIO)
		c->want |= FUSE_CAP_ASYNC_DIO;
	c->want &= ~FUSE_CAP_SPLICE_READ; /* requests are copied, as from a drive */
}

static void do_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct fuse_entry_param e;
	int err = ENOENT;
	(void)parent;
	pthread_mutex_lock(&lock);
	struct node *n = find(name);
	if (n) {
		err = entry_of((uintptr_t)n, &e);
		if (!err)
			n->lookups++;
	} else if (strcmp(name, control_name) == 0) {
		err = entry_of(control_ino, &e);
	}
	pthread_mutex_unlock(&lock);
	if (err)
		fuse_reply_err(req, err);
	else
		fuse_reply_entry(req, &e);
}

static void do_forget(fuse_req_t req, fuse_ino_t ino, uint64_t count)
{
	if (ino != FUSE_ROOT_ID && ino != control_ino) {
		pthread_mutex_lock(&lock);
		node_of(ino)->lookups -= count;
		free_if_unused(node_of(ino));
		pthread_mutex_unlock(&lock);
	}
	fuse_reply_none(req);
}

static void reply_attr(fuse_req_t req, fuse_ino_t ino)
{
	struct stat st;
	pthread_mutex_lock(&lock);
	int err = stat_of(ino, &st);
	pthread_mutex_unlock(&lock);
	if (err)
		fuse_reply_err(req, err);
	else
		fuse_reply_attr(req, &st, 0);
}

static void do_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	(void)fi;
	reply_attr(req, ino);
}

static void do_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *st, int what, struct fuse_file_info *fi)
{
	(void)fi;
	if (ino != FUSE_ROOT_ID && ino != control_ino) {
		struct node *n = node_of(ino);
		if ((what & FUSE_SET_ATTR_SIZE) && ftruncate(n->data, st->st_size)) {
			fuse_reply_err(req, errno);
			return;
		}
		pthread_mutex_lock(&lock);
		if (what & FUSE_SET_ATTR_MODE)
			n->mode = S_IFREG | (st->st_mode & 07777);
		if (what & FUSE_SET_ATTR_UID)
			n->uid = st->st_uid;
		if (what & FUSE_SET_ATTR_GID)
			n->gid = st->st_gid;
		pthread_mutex_unlock(&lock);
	}
	reply_attr(req, ino);
}

static void do_create(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, struct fuse_file_info *fi)
{
	const struct fuse_ctx *who = fuse_req_ctx(req);
	struct fuse_entry_param e;
	(void)parent;
	struct node *n = calloc(1, sizeof *n);
	char *copy = strdup(name);
	int data = memfd_create("delayfs", MFD_CLOEXEC);
	int err = !n || !copy ? ENOMEM : data < 0 ? errno : 0;
	pthread_mutex_lock(&lock);
	if (!err && (find(name) || strcmp(name, control_name) == 0))
		err = EEXIST;
	if (!err) {
		n->name = copy;
		n->data = data;
		n->mode = S_IFREG | (mode & 07777);
		n->uid = who->uid;
		n->gid = who->gid;
		err = entry_of((uintptr_t)n, &e);
	}
	if (!err) {
		n->lookups = 1;
		n->next = nodes;
		nodes = n;
	}
	pthread_mutex_unlock(&lock);
	if (!err) {
		fuse_reply_create(req, &e, fi);
		return;
	}
	if (data >= 0)
		close(data);
	free(copy);
	free(n);
	fuse_reply_err(req, err);
}

static void do_unlink(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	(void)parent;
	pthread_mutex_lock(&lock);
	struct node *n = find(name);
	if (n) {
		free(n->name);
		n->name = NULL;
		free_if_unused(n);
	}
	pthread_mutex_unlock(&lock);
	fuse_reply_err(req, n ? 0 : strcmp(name, control_name) == 0 ? EPERM : ENOENT);
}

static void do_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	if (ino == control_ino)
		fi->direct_io = 1;
	fuse_reply_open(req, fi);
}

/* One small folder: it is told whole, each time from the start. */
static void do_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	char *buf = malloc(size);
	size_t used = 0;
	off_t at = 0;
	(void)ino;
	(void)fi;
	if (!buf) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	pthread_mutex_lock(&lock);
	for (struct node *n = nodes; n; n = n->next) {
		struct stat st;
		if (!n->name || at++ < off || stat_of((uintptr_t)n, &st))
			continue;
		size_t need = fuse_add_direntry(req, buf + used, size - used, n->name, &st, at);
		if (need > size - used)
			break;
		used += need;
	}
	pthread_mutex_unlock(&lock);
	fuse_reply_buf(req, buf, used);
	free(buf);
}

/* wait_for_turn takes the time of the next I/O, counted from begin. */
static void wait_for_turn(struct node *n, struct timespec begin)
{
	static __thread int ready;
	if (!atomic_load(&n->armed))
		return;
	unsigned long turn = atomic_fetch_add(&counter, 1) % period;
	long us = turn == 100 ? atomic_load(&tail_us) : turn % 50 == 7 ? atomic_load(&middle_us) : atomic_load(&base_us);
	if (us == 0)
		return;
	if (!ready) {
		prctl(PR_SET_TIMERSLACK, 1UL); /* be woken at the time, not 50 µs later */
		ready = 1;
	}
	begin.tv_nsec += us % 1000000 * 1000;
	begin.tv_sec += us / 1000000 + begin.tv_nsec / 1000000000;
	begin.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &begin, NULL) == EINTR)
		;
}

static void do_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off, struct fuse_file_info *fi)
{
	static __thread char *buf;
	struct timespec begin;
	(void)fi;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (ino == control_ino) {
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	if (!buf)
		buf = malloc(max_io);
	ssize_t n = buf ? pread(node_of(ino)->data, buf, size < max_io ? size : max_io, off) : -1;
	if (n < 0) {
		fuse_reply_err(req, buf ? errno : ENOMEM);
		return;
	}
	wait_for_turn(node_of(ino), begin);
	fuse_reply_buf(req, buf, n);
}

static void set_delays(fuse_req_t req, const char *text, size_t size)
{
	char line[100];
	long base, middle, tail;
	snprintf(line, sizeof line, "%.*s", (int)size, text);
	if (sscanf(line, "%ld %ld %ld", &base, &middle, &tail) != 3 || base < 0 || middle < 0 || tail < 0) {
		fuse_reply_err(req, EINVAL);
		return;
	}
	atomic_store(&base_us, base);
	atomic_store(&middle_us, middle);
	atomic_store(&tail_us, tail);
	atomic_store(&counter, 0);
	fuse_reply_write(req, size);
}

static void do_write(fuse_req_t req, fuse_ino_t ino, const char *buf, size_t size, off_t off, struct fuse_file_info *fi)
{
	struct timespec begin;
	(void)fi;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (ino == control_ino) {
		set_delays(req, buf, size);
		return;
	}
	ssize_t n = pwrite(node_of(ino)->data, buf, size, off);
	if (n < 0) {
		fuse_reply_err(req, errno);
		return;
	}
	wait_for_turn(node_of(ino), begin);
	fuse_reply_write(req, n);
}

static void do_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	(void)datasync;
	(void)fi;
	if (ino != control_ino)
		atomic_store(&node_of(ino)->armed, 1);
	fuse_reply_err(req, 0);
}

static void do_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t off, off_t length, struct fuse_file_info *fi)
{
	(void)fi;
	fuse_reply_err(req, ino == control_ino ? EPERM : fallocate(node_of(ino)->data, mode, off, length) ? errno : 0);
}

/* Tells holes (SEEK_DATA, SEEK_HOLE), so that a file that was not written in full is seen to be. */
static void do_lseek(fuse_req_t req, fuse_ino_t ino, off_t off, int whence, struct fuse_file_info *fi)
{
	(void)fi;
	off_t at = ino == control_ino ? 0 : lseek(node_of(ino)->data, off, whence);
	if (at < 0)
		fuse_reply_err(req, errno);
	else
		fuse_reply_lseek(req, at);
}

static void do_statfs(fuse_req_t req, fuse_ino_t ino)
{
	struct statvfs st = {
		.f_bsize = block, .f_frsize = block, .f_blocks = capacity, .f_namemax = 255,
		.f_files = 1000, .f_ffree = 1000,
	};
	(void)ino;
	st.f_bfree = st.f_bavail = capacity;
	fuse_reply_statfs(req, &st);
}

static const struct fuse_lowlevel_ops operations = {
	.init = do_init, .lookup = do_lookup, .forget = do_forget, .getattr = do_getattr, .setattr = do_setattr,
	.create = do_create, .unlink = do_unlink, .open = do_open, .readdir = do_readdir, .read = do_read,
	.write = do_write, .fsync = do_fsync, .fallocate = do_fallocate, .lseek = do_lseek, .statfs = do_statfs,
};

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s MOUNTPOINT\n", argv[0]);
		return 2;
	}
	struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
	struct fuse_loop_config *loop = fuse_loop_cfg_create();
	if (!loop || fuse_opt_add_arg(&args, "delayfs") ||
	    fuse_opt_add_arg(&args, "-ofsname=delayfs,subtype=delayfs,allow_other,max_read=1048576"))
		return 1;
	struct fuse_session *s = fuse_session_new(&args, &operations, sizeof operations, NULL);
	if (!s || fuse_set_signal_handlers(s) || fuse_session_mount(s, argv[1]))
		return 1;
	fuse_loop_cfg_set_max_threads(loop, max_threads);
	fuse_loop_cfg_set_idle_threads(loop, max_threads);
	fuse_loop_cfg_set_clone_fd(loop, 0);
	int err = fuse_session_loop_mt(s, loop);
	fuse_session_unmount(s);
	fuse_remove_signal_handlers(s);
	fuse_session_destroy(s);
	fuse_loop_cfg_destroy(loop);
	fuse_opt_free_args(&args);
	return err ? 1 : 0;
}

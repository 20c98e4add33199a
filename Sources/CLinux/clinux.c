// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

// What needs _GNU_SOURCE throughout, which Swift's importer does not set; the rest is in the header.
#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/uio.h>

// Code that was changed when it was loaded (DT_TEXTREL) is no longer what the file has.
static bool is_as_in_the_file(const struct dl_phdr_info *library) {
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &library->dlpi_phdr[i];
        if (header->p_type != PT_DYNAMIC) continue;
        for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(library->dlpi_addr + header->p_vaddr); entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return false;
        }
    }
    return true;
}

// The program itself stands first, and has no name; what it does at a press is to be there.
static int let_go(struct dl_phdr_info *library, size_t size, void *unused) {
    (void)size;
    (void)unused;
    if (!library->dlpi_name || !*library->dlpi_name || !is_as_in_the_file(library)) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &library->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        uintptr_t start = (library->dlpi_addr + header->p_vaddr) & ~(page - 1);
        madvise((void *)start, library->dlpi_addr + header->p_vaddr + header->p_memsz - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_let_go_of_code(void) { dl_iterate_phdr(let_go, NULL); }

// What is mapped of the program and never written to.
struct parts {
    struct iovec part[8];
    int count;
};

// The walk ends with the program itself.
static int list(struct dl_phdr_info *program, size_t size, void *result) {
    (void)size;
    struct parts *parts = result;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < program->dlpi_phnum && parts->count < 8; i++) {
        const ElfW(Phdr) *header = &program->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        uintptr_t start = (program->dlpi_addr + header->p_vaddr) & ~(page - 1);
        parts->part[parts->count++] = (struct iovec){(void *)start, program->dlpi_addr + header->p_vaddr + header->p_memsz - start};
    }
    return 1;
}

void clinux_fetch_code(void) {
    struct parts parts = {.count = 0};
    // The loader's lock is held in there, and a card may be slow.
    dl_iterate_phdr(list, &parts);
    for (int i = 0; i < parts.count; i++) {
        const struct iovec *part = &parts.part[i];
        // Since Linux 5.14.
        if (madvise(part->iov_base, part->iov_len, MADV_POPULATE_READ)) madvise(part->iov_base, part->iov_len, MADV_WILLNEED);
    }
}

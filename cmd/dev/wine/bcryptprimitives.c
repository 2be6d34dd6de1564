/* What programs made with Go need and older versions of Wine lack. Go loads this library when a program
 * starts, so it is the place for both:
 *
 * - ProcessPrng, where Go takes its random numbers from. Wine has it since version 8.13; without it no
 *   program of Go starts.
 * - An answer to "delete the file at once" (FileDispositionInformationEx) that Go knows. Windows versions
 *   without it say that there is no such class of information, and Go then deletes in the old way. Wine
 *   says "not implemented", and Go gives up: os.RemoveAll fails, and with it each test that has a
 *   temporary folder.
 */
#include <windows.h>
#include <winternl.h>
#include <ntsecapi.h>

/* RtlGenRandom is the same source of random numbers under its old name. */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    const ULONG most = 0x40000000;

    while (size > 0) {
        ULONG n = size > most ? most : (ULONG)size;
        if (!RtlGenRandom(data, n))
            return FALSE;
        data += n;
        size -= n;
    }
    return TRUE;
}

typedef NTSTATUS(NTAPI *set_information)(HANDLE, PIO_STATUS_BLOCK, PVOID, ULONG, ULONG);

static set_information wines;

static NTSTATUS NTAPI set_information_file(HANDLE file, PIO_STATUS_BLOCK status, PVOID data, ULONG size, ULONG class)
{
    const ULONG disposition_ex = 64;
    const NTSTATUS invalid_info_class = 0xC0000003, not_implemented = 0xC0000002;
    NTSTATUS answer = wines(file, status, data, size, class);

    return class == disposition_ex && answer == not_implemented ? invalid_info_class : answer;
}

/* jump is code that goes to a function, not far after a library: the table of what a library exports has
 * room for addresses up to 4 GB after it. */
static BYTE *jump(BYTE *library, const void *function)
{
    const SIZE_T step = 0x1000000; /* 16 MB */
    BYTE code[] = {0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; /* jmp to the address that follows */
    SIZE_T i;

    memcpy(code + 6, &function, sizeof function);
    for (i = 1; i < 255; i++) {
        BYTE *p = VirtualAlloc(library + i * step, sizeof code, MEM_RESERVE | MEM_COMMIT, PAGE_EXECUTE_READWRITE);
        if (p)
            return memcpy(p, code, sizeof code);
    }
    return NULL;
}

/* lead makes the exported name of a library lead to another function, for who asks for it by name from
 * now on. */
static void lead(HMODULE library, const char *name, const void *function)
{
    BYTE *base = (BYTE *)library, *code = jump(base, function);
    const IMAGE_NT_HEADERS *headers = (IMAGE_NT_HEADERS *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
    const IMAGE_EXPORT_DIRECTORY *exports =
        (IMAGE_EXPORT_DIRECTORY *)(base + headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT].VirtualAddress);
    const DWORD *names = (DWORD *)(base + exports->AddressOfNames);
    const WORD *ordinals = (WORD *)(base + exports->AddressOfNameOrdinals);
    DWORD *addresses = (DWORD *)(base + exports->AddressOfFunctions);
    DWORD i, was;

    for (i = 0; code && i < exports->NumberOfNames; i++) {
        DWORD *entry = &addresses[ordinals[i]];
        if (lstrcmpA((char *)base + names[i], name) != 0)
            continue;
        if (VirtualProtect(entry, sizeof *entry, PAGE_READWRITE, &was)) {
            *entry = (DWORD)(code - base);
            VirtualProtect(entry, sizeof *entry, was, &was);
        }
        return;
    }
}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved)
{
    const char *name = "NtSetInformationFile";
    HMODULE ntdll;

    (void)self, (void)reserved;
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    ntdll = GetModuleHandleA("ntdll.dll");
    wines = (set_information)(void *)GetProcAddress(ntdll, name);
    if (wines)
        lead(ntdll, name, (void *)set_information_file);
    return TRUE;
}
